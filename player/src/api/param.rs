//! Parameters that are read and set by name.

use std::fmt;

use game::excerpt;
use thiserror::Error;

/// A parameter of a player and its current value.
///
/// ```
/// use player::{FromOptions, MctsPlayer, Options, ParamValue, Player};
///
/// let mut player = MctsPlayer::new(&Options { memory: 1 << 20, ..Options::default() });
/// player.set_param("expansion_visits", "7")?;
/// let param = player.params().into_iter().find(|param| param.name == "expansion_visits").expect("a parameter");
/// assert_eq!((param.value, param.low), (ParamValue::Count(7), ParamValue::Count(1)));
/// # Ok::<(), player::ParamError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Param {
    /// Name.
    pub name: &'static str,
    /// Current value.
    pub value: ParamValue,
    /// Minimum.
    pub low: ParamValue,
    /// Maximum.
    pub high: ParamValue,
}

/// Value of a parameter. The values of one parameter share a variant.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum ParamValue {
    /// A switch, written 1 or 0.
    Switch(bool),
    /// An integer.
    Count(u32),
    /// A number.
    Number(f32),
}

impl fmt::Display for ParamValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Switch(is_on) => u8::from(is_on).fmt(f),
            Self::Count(count) => count.fmt(f),
            Self::Number(number) => number.fmt(f),
        }
    }
}

/// An error in the name or value of a parameter.
///
/// ```
/// use player::{FromOptions, MinimaxPlayer, Options, Player};
///
/// let mut player = MinimaxPlayer::new(&Options { memory: 1 << 20, ..Options::default() });
/// for (name, value, error) in [
///     ("root_width", "2.5", "parameter `root_width` must be a whole number from 1 to 2000, not `2.5`"),
///     ("endgame", "2", "parameter `endgame` must be 0 or 1, not `2`"),
/// ] {
///     assert_eq!(player.set_param(name, value).map_err(|error| error.to_string()), Err(error.to_owned()));
/// }
/// let error = player.set_param("width", "9").unwrap_err().to_string();
/// assert!(error.starts_with("there is no parameter `width`; expected one of root_width, "), "{error}");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ParamError {
    /// The player has no parameter of this name.
    #[error("there is no parameter `{name}`; {}", known_names(known))]
    Unknown {
        /// Name of the parameter.
        name: String,
        /// Names of the player's parameters.
        known: Vec<&'static str>,
    },
    /// The value has the wrong type or is out of range.
    #[error("parameter `{name}` must be {expected}, not `{text}`")]
    Value {
        /// Name of the parameter.
        name: &'static str,
        /// Description of the valid values.
        expected: String,
        /// The rejected text.
        text: String,
    },
}

/// A type of parameter values.
pub(crate) trait ParamType: Copy + PartialOrd + Into<ParamValue> {
    /// Describes the values from `low` to `high` in messages.
    fn expected(low: Self, high: Self) -> String;

    /// Parses a value.
    fn read(text: &str) -> Option<Self>;
}

macro_rules! param_types {
    ($($Type:ident = $Variant:ident, $expected:literal, $read:expr;)*) => {$(
        impl From<$Type> for ParamValue {
            fn from(value: $Type) -> Self {
                Self::$Variant(value)
            }
        }

        impl ParamType for $Type {
            fn expected(low: Self, high: Self) -> String {
                format!($expected, low = ParamValue::from(low), high = ParamValue::from(high))
            }

            fn read(text: &str) -> Option<Self> {
                $read(text)
            }
        }
    )*};
}

param_types! {
    bool = Switch, "{low} or {high}", |text: &str| ["0", "1"].iter().position(|&known| known == text).map(|n| n == 1);
    u32 = Count, "a whole number from {low} to {high}", |text: &str| text.parse().ok();
    f32 = Number, "a number from {low} to {high}", |text: &str| text.parse().ok();
}

impl ParamError {
    /// Creates the error of a player with these parameters.
    pub fn unknown(name: &str, params: &[Param]) -> Self {
        Self::Unknown { name: excerpt(name), known: params.iter().map(|param| param.name).collect() }
    }
}

fn known_names(names: &[&str]) -> String {
    if names.is_empty() { "the player has none".to_owned() } else { format!("expected one of {}", names.join(", ")) }
}

/// Parses the value of a parameter.
///
/// # Errors
/// [`ParamError::Value`] if the text is not of the type or out of range.
pub(crate) fn read<T: ParamType>(name: &'static str, text: &str, low: T, high: T) -> Result<T, ParamError> {
    let value = T::read(text).filter(|value| (low..=high).contains(value));
    value.ok_or_else(|| ParamError::Value { name, expected: T::expected(low, high), text: excerpt(text) })
}

/// Declares the parameters of a player as a struct `Params`: description, type, default and range of each.
macro_rules! params {
    ($($(#[doc = $meaning:literal])* $name:ident: $Type:ident = $default:literal in $low:literal..=$high:literal;)*) => {
        /// The parameters.
        #[derive(Clone, Copy, PartialEq, Debug)]
        #[non_exhaustive]
        pub struct Params {
            $($(#[doc = $meaning])* pub $name: $Type,)*
        }

        impl Default for Params {
            fn default() -> Self {
                Self { $($name: $default,)* }
            }
        }

        impl Params {
            /// Lists all parameters with their values.
            pub fn list(&self) -> Vec<$crate::Param> {
                vec![$($crate::Param {
                    name: stringify!($name),
                    value: self.$name.into(),
                    low: <$Type>::into($low),
                    high: <$Type>::into($high),
                },)*]
            }

            /// Parses `text` (a number; 0 or 1 for a switch) and sets a parameter.
            ///
            /// # Errors
            /// [`ParamError`](crate::ParamError) if the parameter is unknown or the value is out of range.
            pub fn set(&mut self, name: &str, text: &str) -> Result<(), $crate::ParamError> {
                match name {
                    $(stringify!($name) => self.$name = $crate::api::param::read(stringify!($name), text, $low, $high)?,)*
                    _ => return Err($crate::ParamError::unknown(name, &self.list())),
                }
                Ok(())
            }
        }
    };
}
pub(crate) use params;

#[cfg(test)]
mod tests {
    params! {
        /// A switch.
        switch: bool = false in false..=true;
        /// A count.
        count: u32 = 3 in 1..=1_000_000_000;
        /// A real number.
        number: f32 = 0.1 in -1.0..=10.0;
    }

    #[test]
    fn rejects_values_of_wrong_type_or_range() {
        let mut params = Params::default();
        for (name, text) in [("switch", "1"), ("count", "16777217"), ("number", "-0.25")] {
            params.set(name, text).unwrap();
        }
        assert_eq!(params, Params { switch: true, count: 16_777_217, number: -0.25 });
        for (name, texts, expected) in [
            ("switch", &["", "2", "0.5", "true"][..], "0 or 1"),
            ("count", &["0", "1.5", "2.0", "-1", "1000000001", "many"], "a whole number from 1 to 1000000000"),
            ("number", &["-1.1", "10.1", "NaN", "inf", "0,5"], "a number from -1 to 10"),
        ] {
            for text in texts {
                let error = params.set(name, text).unwrap_err();
                assert_eq!(error.to_string(), format!("parameter `{name}` must be {expected}, not `{text}`"));
            }
        }
        let texts: Vec<String> = params.list().iter().map(|param| param.value.to_string()).collect();
        assert_eq!(texts, ["1", "16777217", "-0.25"], "errors change nothing");
    }
}
