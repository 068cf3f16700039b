//! Parameters of players, which can be read and set by name.

use thiserror::Error;

/// A parameter of a player and its present value.
///
/// ```
/// use player::{MctsPlayer, Options, Player};
///
/// let player = MctsPlayer::new(&Options { memory: 1 << 20, ..Options::default() });
/// assert!(player.params().iter().all(|param| (param.low..=param.high).contains(&param.value)));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: f32,
    /// The least sensible value.
    pub low: f32,
    /// The greatest sensible value.
    pub high: f32,
}

/// Why a parameter cannot be set.
///
/// ```
/// use player::{Options, ParamError, Player, RandomPlayer};
///
/// let mut player = RandomPlayer::new(&Options::default());
/// assert_eq!(player.set_param("speed", 1.0), Err(ParamError::Unknown("speed".to_owned())));
/// ```
#[derive(Clone, PartialEq, Debug, Error)]
pub enum ParamError {
    /// The player has no such parameter.
    #[error("there is no parameter `{0}`")]
    Unknown(String),
    /// The value is out of range.
    #[error("parameter `{name}` must be from {low} to {high}, not {value}")]
    Range {
        /// The parameter.
        name: &'static str,
        /// The value that was given.
        value: f32,
        /// The least sensible value.
        low: f32,
        /// The greatest sensible value.
        high: f32,
    },
}

/// Declares the parameters of a player as a struct `Params`: documentation, name, default value and
/// sensible range of each.
macro_rules! params {
    ($($(#[doc = $doc:literal])* $name:ident = $default:literal in $low:literal..$high:literal;)*) => {
        /// The parameters. All are numbers; counts are rounded down where they are used.
        #[derive(Clone, Copy, PartialEq, Debug)]
        pub struct Params {
            $($(#[doc = $doc])* pub $name: f32,)*
        }

        impl Default for Params {
            fn default() -> Self {
                Self { $($name: $default,)* }
            }
        }

        impl Params {
            /// All parameters with their values and sensible ranges.
            pub fn list(&self) -> Vec<$crate::Param> {
                vec![$($crate::Param { name: stringify!($name), value: self.$name, low: $low, high: $high },)*]
            }

            /// Sets a parameter. Values outside the sensible range are refused.
            ///
            /// # Errors
            /// [`ParamError`](crate::ParamError)
            pub fn set(&mut self, name: &str, value: f32) -> Result<(), $crate::ParamError> {
                match name {
                    $(stringify!($name) => {
                        if !($low..=$high).contains(&value) {
                            let (low, high) = ($low, $high);
                            return Err($crate::ParamError::Range { name: stringify!($name), value, low, high });
                        }
                        self.$name = value;
                        Ok(())
                    })*
                    _ => Err($crate::ParamError::Unknown(name.to_owned())),
                }
            }
        }
    };
}
pub(crate) use params;
