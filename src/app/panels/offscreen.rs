//! The panels without a window, for tests of their contents.

use bevy::prelude::World;
use egui::epaint::Shape;
use egui::{Context, RawInput, Rect, Ui};

use super::layout::show_all;
use super::{REGISTRY, keys};
use crate::app::advice::Advisor;
use crate::app::convergence::Convergence;
use crate::app::desk::{Desk, Shown, State, States};
use crate::app::edit::Editor;
use crate::app::failure_report::BlowUps;
use crate::app::film_strip::FilmStrip;
use crate::app::lessons::{self, Lessons, Turn};
use crate::app::library::Library;
use crate::app::pace::Throughput;
use crate::app::picture::Picture;
use crate::app::plots::history::History;
use crate::app::plots::panel as plots;
use crate::app::probes::Probes;
use crate::app::session::{SessionHandle, begin};
use crate::app::sweep::SweepView;
use crate::app::textile::Laboratory;
use crate::app::view::ViewState;
use crate::app::widgets::{pointing, style};
use crate::app::window::preferences::{Backdrop, CurrentBackdrop, CurrentQuality, Quality};
use crate::scene::{InputError, Scene, ScenePart};
use crate::session::lesson::{Lesson, Walk};
use crate::session::{Command, Frame, Watch};
use crate::sim::Simulation;

/// All panels with a session of their own.
pub struct Offscreen {
    context: Context,
    session: SessionHandle,
    desk: Desk,
    states: World,
    view_state: ViewState,
    /// Frames in which the look was set.
    styled: u8,
    view: Rect,
}

/// A drawn line of text: position, in points, and contents. Clipped text is left out.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawnText {
    /// The visible part of it: left, top, right, bottom.
    pub place: [f32; 4],
    /// The text.
    pub text: String,
}

impl Offscreen {
    /// The panels around `simulation`, with the windows called `titles` open.
    #[must_use]
    pub fn new(scene: Scene, simulation: Simulation, titles: &[&str]) -> Self {
        let mut desk = Desk::default();
        for panel in REGISTRY.iter().filter(|panel| titles.contains(&panel.title)) {
            desk.windows.set(panel.title, true);
        }
        Self {
            context: Context::default(),
            session: SessionHandle::start(begin(scene, simulation, Vec::new())),
            desk,
            states: World::new(),
            view_state: ViewState::default(),
            styled: 0,
            view: Rect::NOTHING,
        }
    }

    /// Sends a command, and waits for the frame that shows its effect.
    pub fn send(&mut self, command: Command) {
        let order = self.session.send(command);
        while self.session.frame().seen < order {
            std::thread::yield_now();
            self.session.take_frame();
        }
        States(&mut self.states).of::<History>().follow(&self.session, 1.0, 0.0);
    }

    /// Looks at a vertex, as a click on it does, and waits for the frame that tells of it.
    pub fn probe(&mut self, vertex: u32) {
        let probes = self.of::<Probes>();
        probes.take(vertex);
        if let Some(place) = probes.place_of(vertex) {
            probes.pin(place, true);
        }
        let probes = probes.vertices();
        self.of::<History>().set_probes(probes);
        self.session.watch(Watch { probes, ..self.session.watched() });
        while !self.session.frame().probes.iter().any(|reading| reading.vertex == vertex) {
            std::thread::yield_now();
            self.session.take_frame();
        }
    }

    /// A tick of all lanes, of which it waits for the frames.
    pub fn tick(&mut self) {
        while !self.session.tick(1) {
            std::thread::yield_now();
            self.session.take_frame();
        }
        self.settle();
    }

    /// Waits for the frames after all steps that were ordered in any lane.
    pub fn settle(&mut self) {
        while !self.session.is_at_rest() {
            std::thread::yield_now();
            self.session.take_frame();
        }
    }

    /// Updates the plots from the frames of all lanes.
    pub fn note(&mut self) {
        self.session.take_frame();
        States(&mut self.states).of::<History>().follow(&self.session, 1.0, 0.0);
    }

    /// All numbers of the plots as a table.
    #[must_use]
    pub fn table(&self) -> String {
        self.states.resource::<History>().csv()
    }

    /// Adds a lane like the chosen one, and waits for it.
    pub fn add_lane(&mut self) {
        let before = self.session.lane_count();
        self.session.add_lane();
        self.wait_for_lanes(before + 1);
    }

    /// Waits until there are so many lanes.
    pub fn wait_for_lanes(&mut self, count: usize) {
        while self.session.lane_count() != count {
            std::thread::yield_now();
            self.session.take_frame();
        }
    }

    /// Titles of the open tools, palettes and drawers, the last one opened at the end.
    #[must_use]
    pub fn open_titles(&self) -> Vec<&'static str> {
        self.desk.windows.titles().to_vec()
    }

    /// The part of the window that shows the cloth, as it was drawn last, in points.
    #[must_use]
    pub fn view(&self) -> Rect {
        self.view
    }

    /// The running session.
    pub fn session(&mut self) -> &mut SessionHandle {
        &mut self.session
    }

    /// What is measured of the speed of the window.
    pub fn throughput(&mut self) -> &mut Throughput {
        &mut self.desk.throughput
    }

    /// The state after the last command.
    #[must_use]
    pub fn frame(&self) -> &Frame {
        self.session.frame()
    }

    /// Chooses a part of the scene in the editor.
    pub fn choose_part(&mut self, part: Option<ScenePart>) {
        self.of::<Editor>().choose(part);
    }

    /// Has own files, the last one in front, and their pictures in a folder from now on.
    pub fn keep_files(&mut self, files: &[&str], pictures: &std::path::Path) {
        self.of::<Library>().keep_pictures_in(pictures);
        files.iter().for_each(|file| self.of::<Library>().note_file(file));
    }

    /// Keeps a picture of an own file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep_picture(&mut self, file: &str, picture: &Picture) -> std::io::Result<()> {
        self.of::<Library>().keep_picture(file, picture)
    }

    /// The own files, the newest first.
    #[must_use]
    pub fn files(&self) -> &[String] {
        self.states.get_resource::<Library>().map_or(&[], |library| library.files())
    }

    /// Begins a lesson at a step, counted from 0.
    ///
    /// # Errors
    /// [`InputError`] when it cannot be built.
    pub fn begin_lesson(&mut self, lesson: Lesson, at: usize) -> Result<(), InputError> {
        self.with_shown(|shown| lessons::begin_at(shown, lesson, at))
    }

    /// Answers or clicks a button of the card of the lesson.
    pub fn turn_lesson(&mut self, turn: Turn) {
        self.with_shown(|shown| shown.with(|own, shown| lessons::take(own, shown, turn)));
    }

    /// The pass through the lesson, if there is one.
    #[must_use]
    pub fn lesson(&self) -> Option<&Walk> {
        self.states.get_resource::<Lessons>()?.walk()
    }

    /// The keys as the list of all keys names them, one by one.
    #[must_use]
    pub fn keys() -> Vec<&'static str> {
        keys::all().collect()
    }

    /// Names and visible places of the controls that are pointed at, as they were drawn last.
    #[must_use]
    pub fn pointed_at(&self) -> Vec<(String, Rect)> {
        pointing::places(&self.context)
    }

    /// Opens the table of a sweep. Returns whether there is one in the file.
    pub fn open_sweep(&mut self, file: &std::path::Path) -> bool {
        self.of::<SweepView>().open(file);
        self.of::<SweepView>().table.is_some()
    }

    /// Sets the scanned drape in a file up as what parameters are fitted to.
    pub fn take_scan(&mut self, file: &std::path::Path) {
        self.of::<Laboratory>().take_scan(file);
    }

    /// Number of pictures of the film strip that have been drawn.
    #[must_use]
    pub fn pictures_of_film(&self) -> usize {
        let strip = self.states.get_resource::<FilmStrip>().and_then(|film| film.open.as_ref());
        strip.map_or(0, |strip| strip.pictures.iter().filter(|picture| picture.texture.shown().is_some()).count())
    }

    /// The images of these pictures.
    #[must_use]
    pub fn images_of_film(&self) -> Vec<std::sync::Arc<egui::ColorImage>> {
        let film = self.states.get_resource::<FilmStrip>().and_then(|film| film.open.as_ref());
        let pictures = film.into_iter().flat_map(|strip| &strip.pictures);
        pictures.filter_map(|picture| picture.texture.last().cloned()).collect()
    }

    /// The images of the films of an advice, if there are any.
    #[must_use]
    pub fn images_of_advice(&self) -> Vec<std::sync::Arc<egui::ColorImage>> {
        self.states.get_resource::<Advisor>().map_or_else(Vec::new, Advisor::images)
    }

    /// Draws all panels into `ui`, which is the whole window.
    pub fn show(&mut self, ui: &mut Ui) {
        style::apply(ui.ctx(), &mut self.styled);
        States(&mut self.states).of::<BlowUps>().follow(&mut self.session);
        self.of::<Convergence>().take();
        self.of::<Laboratory>().take();
        self.view = self.with_shown(|shown| {
            show_all(ui, shown);
            shown.view
        });
    }

    fn of<T: State>(&mut self) -> &mut T {
        self.states.get_resource_or_init::<T>().into_inner()
    }

    fn with_shown<T>(&mut self, run: impl FnOnce(&mut Shown) -> T) -> T {
        run(&mut Shown {
            session: &mut self.session,
            desk: &mut self.desk,
            states: States(&mut self.states),
            view_state: &mut self.view_state,
            quality: CurrentQuality(Quality::Low),
            stage: CurrentBackdrop(Backdrop::Light),
            unready: false,
            cursor: None,
            hovered: None,
            collider: None,
            view: Rect::NOTHING,
        })
    }

    /// Seconds that each of so many frames of a window of so many points takes, triangles for the
    /// renderer included.
    pub fn cost(&mut self, size: [f32; 2], frames: usize) -> Vec<f64> {
        let screen = Rect::from_min_size(egui::Pos2::ZERO, size.into());
        let frame = |_| {
            let started = std::time::Instant::now();
            let input = RawInput { screen_rect: Some(screen), ..RawInput::default() };
            let output = self.context.clone().run_ui(input, |ui| self.show(ui));
            drop(self.context.tessellate(output.shapes, output.pixels_per_point));
            started.elapsed().as_secs_f64()
        };
        (0..frames).map(frame).collect()
    }

    /// The same with a tick of all lanes before each, which does not count, and with what a frame
    /// does to compare the lanes and to note what the plots show.
    pub fn cost_of_lanes(&mut self, size: [f32; 2], frames: usize) -> Vec<f64> {
        let frame = |_| {
            self.tick();
            let started = std::time::Instant::now();
            self.session.take_frame();
            States(&mut self.states).of::<History>().follow(&self.session, 1.0, 0.0);
            let own = started.elapsed().as_secs_f64();
            own + self.cost(size, 1)[0]
        };
        (0..frames).map(frame).collect()
    }

    /// Has the drawer of plots show all strips that there is room for.
    pub fn plot_all(&mut self) {
        plots::choose_all(&self.context);
    }

    /// Draws a window of so many points a few times, as egui wants to settle, and returns its
    /// texts.
    pub fn draw(&mut self, size: [f32; 2]) -> Vec<DrawnText> {
        let screen = Rect::from_min_size(egui::Pos2::ZERO, size.into());
        let mut texts = Vec::new();
        for _ in 0..3 {
            let input = RawInput { screen_rect: Some(screen), ..RawInput::default() };
            let output = self.context.clone().run_ui(input, |ui| self.show(ui));
            texts.clear();
            for clipped in &output.shapes {
                collect(&clipped.shape, clipped.clip_rect.intersect(screen), &mut texts);
            }
        }
        texts
    }
}

fn collect(shape: &Shape, clip: Rect, texts: &mut Vec<DrawnText>) {
    match shape {
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| collect(shape, clip, texts)),
        Shape::Text(text) => {
            // a line each: the box of a text that was broken reaches over what stands before it
            for row in &text.galley.rows {
                let place = row.visuals.mesh_bounds.translate(text.pos.to_vec2() + row.pos.to_vec2()).intersect(clip);
                let said = row.text();
                if place.width() > 1.0 && place.height() > 1.0 && !said.trim().is_empty() {
                    let [left, top, right, bottom] = [place.min.x, place.min.y, place.max.x, place.max.y];
                    texts.push(DrawnText { place: [left, top, right, bottom], text: said });
                }
            }
        }
        _ => {}
    }
}
