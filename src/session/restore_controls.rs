//! Controls of a session, read and restored.

use std::sync::Arc;

use super::arrangement::PanelValues;
use super::controls::{Controls, VertexPin};
use super::{Command, Session};

impl Session {
    /// What `command` can change, if it sets values of panels or a pin.
    pub(super) fn controls_of(&self, command: &Command) -> Option<Controls> {
        let chooses_solver = matches!(command, Command::Solver { .. } | Command::Arrange { .. });
        match command {
            Command::Pin { vertex } => Some(self.controls(false, Some(*vertex))),
            // a picture that is opened is printed
            Command::Open { .. } => Some(self.controls(false, None)),
            command => command.effects().sets.then(|| self.controls(chooses_solver, None)),
        }
    }

    /// The same parts of the present as `other` has.
    pub(super) fn controls_like(&self, other: &Controls) -> Controls {
        self.controls(other.solver_state.is_some(), other.pin.as_ref().map(|pin| pin.vertex))
    }

    fn controls(&self, with_solver_state: bool, vertex: Option<u32>) -> Controls {
        let cloth = &self.simulation.state.cloth;
        let pin_of = |vertex: u32| {
            let velocity = *cloth.velocities.get(vertex as usize)?;
            Some(VertexPin { vertex, pin: cloth.pin_of(vertex).cloned(), velocity })
        };
        Controls {
            values: PanelValues::of(&self.simulation, &self.state.scene),
            rising_wind: self.state.rising_wind,
            solver_state: with_solver_state.then(|| self.simulation.state.solver.clone()),
            pin: vertex.and_then(pin_of),
        }
    }

    /// Sets them, in a state that no step has led to since.
    pub(super) fn set_controls(&mut self, controls: &Controls) {
        let Controls { values, rising_wind, solver_state, pin } = controls;
        let PanelValues { parameters, solvers, fabric, image } = values;
        self.simulation.restore_solvers(solvers);
        if let Some(state) = solver_state {
            self.simulation.restore_solver_state(state);
        }
        self.simulation.parameters = *parameters;
        self.set_look(fabric, image.as_ref());
        self.state.rising_wind = *rising_wind;
        if let Some(VertexPin { vertex, pin, velocity }) = pin {
            let cloth = &mut self.simulation.state.cloth;
            match pin {
                Some(pin) => cloth.pin(pin.clone()),
                None => drop(cloth.unpin(*vertex)),
            }
            cloth.velocities[*vertex as usize] = *velocity;
        }
    }

    /// Gives the cloth the look of a fabric, and a picture.
    pub(super) fn set_look(&mut self, fabric: &str, image: Option<&String>) {
        if (self.state.scene.fabric.as_str(), self.state.scene.image.as_ref()) != (fabric, image) {
            let scene = Arc::make_mut(&mut self.state.scene);
            fabric.clone_into(&mut scene.fabric);
            scene.image = image.cloned();
        }
    }
}
