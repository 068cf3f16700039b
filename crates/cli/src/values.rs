//! Parses the values of options.

use std::ffi::OsString;
use std::fmt::Display;
use std::ops::{Bound, RangeBounds};
use std::str::FromStr;

use clap::{Command, Parser};

/// Returns a parser of whole numbers within a range.
///
/// ```
/// assert_eq!(cli::number(1..=9)("7"), Ok(7));
/// assert_eq!(cli::number(1..=9)("x").unwrap_err(), "expected a whole number from 1 to 9");
/// assert_eq!(cli::number(1..)("0").unwrap_err(), "expected a whole number from 1");
/// ```
pub fn number<T: FromStr + PartialOrd + Display>(
    range: impl RangeBounds<T> + Clone,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            let bound = |word, bound: Bound<&T>| match bound {
                Bound::Included(number) => format!(" {word} {number}"),
                _ => String::new(),
            };
            format!("expected a whole number{}{}", bound("from", range.start_bound()), bound("to", range.end_bound()))
        })
    }
}

/// Parses the arguments of a program, the first of which is its name; ends the program if they are invalid or ask for
/// help. A negative number counts as a value, so that the error names the expected range.
///
/// ```
/// #[derive(clap::Parser)]
/// struct Cli {
///     #[arg(long, value_parser = cli::number(1u64..))]
///     time: u64,
/// }
/// assert_eq!(cli::parse::<Cli>(["program", "--time", "5"].map(Into::into)).time, 5);
/// ```
pub fn parse<A: Parser>(arguments: impl IntoIterator<Item = OsString>) -> A {
    fn with_negative_numbers(command: Command) -> Command {
        command
            .mut_args(|argument| {
                let takes_values = argument.get_action().takes_values();
                argument.allow_negative_numbers(takes_values)
            })
            .mut_subcommands(with_negative_numbers)
    }
    let mut command = with_negative_numbers(A::command());
    let matches = command.try_get_matches_from_mut(arguments).unwrap_or_else(|error| error.exit());
    A::from_arg_matches(&matches).unwrap_or_else(|error| error.format(&mut command).exit())
}
