//! Serialization with serde: everything that has a notation is a text in that notation.
//!
//! Reading goes through [`FromStr`], so that a text from a file or a network is checked like any other, and the error
//! is the same.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::color::{Color, Team};
use crate::piece::Piece;
use crate::placement::{Move, Placement};
use crate::position::Position;
use crate::rules::Rules;
use crate::shape::Rotation;

macro_rules! as_text {
    ($($type:ty: $what:literal),* $(,)?) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(TextVisitor { what: $what, read: PhantomData })
            }
        }
    )*};
}

as_text! {
    Color: "the name of a colour",
    Move: "a move",
    Piece: "the name of a piece",
    Placement: "a placement",
    Position: "a position",
    Rotation: "the name of a rotation",
    Rules: "the name of rules",
    Team: "the name of a team",
}

/// Reads a `T` from a text.
struct TextVisitor<T> {
    what: &'static str,
    read: PhantomData<T>,
}

impl<T: FromStr<Err: fmt::Display>> Visitor<'_> for TextVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.what)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}
