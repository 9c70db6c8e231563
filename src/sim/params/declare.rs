//! The macros that declare parameters.

/// Declares a struct of parameters: each field with its documentation (which is also its tooltip),
/// default, label, unit and kind, and optionally the switch that it belongs to (`under`), what it
/// takes for granted (`needs`, a [`Need`](crate::sim::params::Need)), its unit with the present
/// values of the others (`in`) and when it is idle.
///
/// ```
/// use weft::sim::params::{Tunable, linear};
/// weft::parameters! {
///     /// How the example behaves.
///     pub struct Example {
///         /// How fast it runs.
///         pub speed: f64 = 1.0, "Speed", "m/s", linear(0.0, 10.0);
///         /// Whether it runs at all.
///         pub running: bool = true, "Running", "", weft::sim::params::Kind::Toggle;
///         /// How long its steps are.
///         pub stride: f64 = 1.0, "Stride", "m", linear(0.0, 2.0), under running;
///     }
/// }
/// assert_eq!(Example::default().params()[0].key, Example::speed);
/// assert_eq!(Example::default().switch_of(2), Some(1));
/// ```
#[macro_export]
macro_rules! parameters {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $(
                $(#[doc = $help:literal])+
                pub $field:ident : $type:ty = $default:expr, $label:literal, $unit:literal, $kind:expr
                $(, under $switch:ident)? $(, needs $need:ident)? $(, in $unit_now:expr)? $(, idle $idle:expr)?;
            )+
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $name {
            $( $(#[doc = $help])+ pub $field: $type, )+
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $( $field: $default, )+ }
            }
        }

        // named as the fields are, so that renaming a field renames its key
        #[allow(non_upper_case_globals)]
        impl $name {
            $(
                #[doc = concat!("Key of `", stringify!($field), "`.")]
                pub const $field: &'static str = stringify!($field);
            )+
        }

        impl $crate::sim::params::Tunable for $name {
            fn params(&self) -> &'static [$crate::sim::params::Param] {
                const PARAMS: &[$crate::sim::params::Param] = &[$(
                    $crate::sim::params::Param {
                        key: stringify!($field),
                        label: $label,
                        unit: $unit,
                        documentation: concat!($($help),+),
                        kind: $kind,
                        switch: $crate::parameters!(@switch $($switch)?),
                        need: $crate::parameters!(@need $($need)?),
                    },
                )+];
                PARAMS
            }
            fn get(&self, index: usize) -> $crate::sim::params::Setting {
                let fields = [$( $crate::sim::params::Field::to_setting(self.$field), )+];
                fields[index]
            }
            fn default_of(&self, index: usize) -> $crate::sim::params::Setting {
                Self::default().get(index)
            }
            fn assign(&mut self, index: usize, value: $crate::sim::params::Setting) {
                let fields: [&mut dyn FnMut($crate::sim::params::Setting); _] =
                    [$( &mut |value| $crate::sim::params::Field::assign(&mut self.$field, value), )+];
                fields[index](value);
            }
            fn unit(&self, index: usize) -> &'static str {
                let _ = self;
                let units: &[fn(&Self) -> &'static str] = &[$( $crate::parameters!(@unit $unit $($unit_now)?), )+];
                units[index](self)
            }
            fn idle(&self, index: usize) -> Option<&'static str> {
                let _ = self;
                let reasons: &[fn(&Self) -> Option<&'static str>] = &[$( $crate::parameters!(@idle $($idle)?), )+];
                reasons[index](self)
            }
        }
    };
    (@switch) => { None };
    (@switch $switch:ident) => { Some(stringify!($switch)) };
    (@need) => { None };
    (@need $need:ident) => { Some($crate::sim::params::Need::$need) };
    (@unit $unit:literal) => { |_| $unit };
    (@unit $unit:literal $unit_now:expr) => { $unit_now };
    (@idle) => { |_| None };
    (@idle $idle:expr) => { $idle };
}

/// Declares an enum whose value is a parameter of [`Kind::Choice`](crate::sim::params::Kind);
/// documentation becomes the help text.
#[macro_export]
macro_rules! choices {
    // `never` is in no declaration: an optional attribute needs a variable to be repeated
    (
        $(#[$meta:meta])*
        pub enum $name:ident {
            $( $(#[doc = $help:literal])+ $(#[default $($never:literal)?])? $variant:ident = $key:literal, )+
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $( $(#[doc = $help])+ $(#[default $($never)?])? #[serde(rename = $key)] $variant, )+
        }

        impl $name {
            const ALL: &'static [Self] = &[$( Self::$variant, )+];

            /// The value called `key`.
            ///
            /// # Errors
            /// A sentence with the known keys.
            pub fn parse(key: &str) -> Result<Self, String> {
                let known = [$( $key, )+];
                let found = known.iter().position(|known| *known == key).map(|at| Self::ALL[at]);
                found.ok_or_else(|| {
                    format!("\"{}\" is none of {}", $crate::sim::params::quote::quote(key), known.join(", "))
                })
            }

            /// The declaration for panels and files.
            pub const KIND: $crate::sim::params::Kind = $crate::sim::params::Kind::Choice(&[
                $( $crate::sim::params::Choice { key: $key, help: concat!($($help),+) }, )+
            ]);
        }

        impl $crate::sim::params::Field for $name {
            fn to_setting(self) -> $crate::sim::params::Setting {
                $crate::sim::params::Setting::Choice(self as usize)
            }
            fn assign(&mut self, setting: $crate::sim::params::Setting) {
                if let $crate::sim::params::Setting::Choice(index) = setting
                    && let Some(value) = Self::ALL.get(index)
                {
                    *self = *value;
                }
            }
        }
    };
}
