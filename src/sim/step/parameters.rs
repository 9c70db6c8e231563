//! All common groups of parameters in one struct, owned by scene, simulation and panel alike.

use crate::sim::params::{ParamError, Tunable};

/// Calls the macro `$then` with `{ $given }` and the list of the common groups: field, type and
/// title, each named here and nowhere else.
#[macro_export]
#[doc(hidden)]
macro_rules! with_parameter_groups {
    ($then:ident { $($given:tt)* }) => {
        $then! {
            { $($given)* }
            /// Stiffness and damping.
            material: $crate::sim::model::material::Material = "Cloth",
            /// How heavy the cloth is.
            mass: $crate::sim::model::material::Mass = "Mass",
            /// Step and substeps.
            timing: $crate::sim::step::timing::Timing = "Time",
            /// How far the threads may be stretched.
            stretch: $crate::sim::stretch::StretchLimit = "Stretch limit",
            /// When the cloth gives way.
            tearing: $crate::sim::topology::tearing::Tearing = "Tearing",
            /// Air and wind.
            air: $crate::sim::forces::Air = "Air",
            /// Downward acceleration [m/s²]; a plain number in files.
            #[serde(with = "crate::sim::forces::gravity::plain_gravity")]
            gravity: $crate::sim::forces::Gravity = "Gravity",
            /// How the cloth meets what is solid.
            contact: $crate::sim::contact::ContactSettings = "Contact",
            /// The table.
            table: $crate::sim::contact::Table = "Table",
        }
    };
}

macro_rules! declare {
    ({} $( $(#[$meta:meta])* $field:ident : $type:ty = $title:literal, )+) => {
        /// Every parameter that is common to all solvers. What a scene does to a simulation, and
        /// back, is an assignment.
        #[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Parameters {
            $( $(#[$meta])* pub $field: $type, )+
        }

        impl Parameters {
            /// Title of each group, as panels show it, in the order of [`groups`](Self::groups).
            pub const TITLES: &'static [&'static str] = &[$( $title, )+];

            /// The groups, in the order of their declaration.
            pub fn groups(&self) -> impl Iterator<Item = &dyn Tunable> {
                [$( &self.$field as &dyn Tunable, )+].into_iter()
            }

            /// The groups, to change.
            pub fn groups_mut(&mut self) -> impl Iterator<Item = &mut dyn Tunable> {
                [$( &mut self.$field as &mut dyn Tunable, )+].into_iter()
            }
        }
    };
}
with_parameter_groups!(declare {});

impl Parameters {
    /// The group of the parameter called `key`, and its position in it.
    #[must_use]
    pub fn find(&self, key: &str) -> Option<(&dyn Tunable, usize)> {
        self.groups().find_map(|group| group.index_of(key).map(|index| (group, index)))
    }

    /// Likewise, to change.
    pub fn find_mut(&mut self, key: &str) -> Option<(&mut dyn Tunable, usize)> {
        self.groups_mut().find_map(|group| group.index_of(key).map(|index| (group, index)))
    }

    /// The first parameter that is out of range, if any.
    ///
    /// # Errors
    /// [`ParamError::OutOfRange`].
    pub fn check(&self) -> Result<(), ParamError> {
        self.groups().try_for_each(Tunable::check)
    }
}
