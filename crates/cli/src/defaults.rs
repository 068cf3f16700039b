//! A file with defaults for options.

use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use clap::builder::ArgAction;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};
use toml::{Table, Value};

use super::error::DefaultsError;
use super::input::read_file;
use super::source::Source;

/// The option that names a file of defaults.
pub(crate) const CONFIG: &str = "config";

/// Maximum size of a file in bytes.
const MOST_BYTES: usize = 1 << 20;

/// The programs that a file may have a table for.
const PROGRAMS: [&str; 4] = ["arena", "board", "client", "trainer"];

/// A file of defaults: one table per program, with options for all its commands and tables for single commands.
pub(crate) struct Defaults {
    path: PathBuf,
    table: Table,
}

impl Defaults {
    /// The defaults in a file that is named, or else where `source` says; `None` if there are none.
    pub(crate) fn find(source: Source, named: Option<&Path>) -> Result<Option<Self>, DefaultsError> {
        let file = named.map(|path| (path.to_owned(), false)).or_else(|| source.file());
        let Some((path, may_be_missing)) = file else { return Ok(None) };
        let text = read_file(&path, MOST_BYTES).and_then(|bytes| {
            String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
        });
        match text {
            Ok(text) => Self::read(path, &text).map(Some),
            Err(error) if may_be_missing && error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(DefaultsError::unreadable(&path, error)),
        }
    }

    fn read(path: PathBuf, text: &str) -> Result<Self, DefaultsError> {
        match text.parse() {
            Ok(table) => Ok(Self { path, table }),
            Err(error) => Err(DefaultsError::new(&path, error)),
        }
    }

    /// Returns the program with defaults from its table, except for options that the command line excludes. `given` is
    /// the command line without the file.
    pub(crate) fn apply(&self, mut program: Command, given: &ArgMatches) -> Result<Command, DefaultsError> {
        for (key, value) in &self.table {
            if !PROGRAMS.contains(&&**key) || !value.is_table() {
                return Err(self.unknown(key, format!("the tables are {}", PROGRAMS.join(", "))));
            }
            if let Some(table) = value.as_table().filter(|_| key == program.get_name()) {
                program = self.apply_table(program, Some(given), table, key)?;
            }
        }
        Ok(program)
    }

    /// `given` is the command line of this command, if it names it; `way` lists the tables down to this one.
    fn apply_table(
        &self,
        mut command: Command,
        given: Option<&ArgMatches>,
        table: &Table,
        way: &str,
    ) -> Result<Command, DefaultsError> {
        let (tables, options): (Vec<_>, Vec<_>) = table.iter().partition(|(_, value)| value.is_table());
        for (name, value) in options {
            let key = format!("{way}.{name}");
            if !self.set(&mut command, given, name, value, &key)? {
                let known = format!("the options of {} are {}", spoken(way), names(&command).join(", "));
                return Err(self.unknown(&key, known));
            }
        }
        // Values for one command override values for all commands.
        for (name, value) in tables {
            let key = format!("{way}.{name}");
            let subcommand = command.get_subcommands_mut().find(|subcommand| subcommand.get_name() == name);
            let (Some(subcommand), Some(table)) = (subcommand, value.as_table()) else {
                let commands: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
                return Err(self.unknown(&key, format!("the commands of {} are {}", spoken(way), commands.join(", "))));
            };
            let given = given.and_then(|given| given.subcommand_matches(name));
            *subcommand = self.apply_table(std::mem::take(subcommand), given, table, &key)?;
        }
        Ok(command)
    }

    /// Makes a value the default of the option with this name in a command and in those below it; whether one has it.
    fn set(
        &self,
        command: &mut Command,
        given: Option<&ArgMatches>,
        name: &str,
        value: &Value,
        key: &str,
    ) -> Result<bool, DefaultsError> {
        let mut is_known = false;
        let option = command.get_arguments().find(|arg| can_have_default(arg) && arg.get_long() == Some(name)).cloned();
        if let Some(option) = option {
            let wrong = |reason| DefaultsError::new(&self.path, format_args!("`{key} = {value}`: {reason}"));
            let values = texts(value).and_then(|values| check(&option, &values).map(|()| values)).map_err(wrong)?;
            if !given.is_some_and(|given| is_excluded(command, &option, given)) {
                let changed = |arg: Arg| arg.default_values(values).required(false);
                *command = std::mem::take(command).mut_arg(option.get_id().as_str(), changed);
            }
            is_known = true;
        }
        for subcommand in command.get_subcommands_mut() {
            let given = given.and_then(|given| given.subcommand_matches(subcommand.get_name()));
            is_known |= self.set(subcommand, given, name, value, key)?;
        }
        Ok(is_known)
    }

    fn unknown(&self, key: &str, known: String) -> DefaultsError {
        DefaultsError::new(&self.path, format_args!("there is no `{key}`; {known}"))
    }
}

/// Parses a command line with defaults from a file. `given` is the command line without the file. The parser ignores
/// defaults where one option requires another, so missing options are added to the line.
pub(crate) fn read(
    program: &mut Command,
    given: &ArgMatches,
    mut line: Vec<OsString>,
) -> Result<ArgMatches, clap::Error> {
    match program.try_get_matches_from_mut(&line) {
        Err(error) if error.kind() == ErrorKind::MissingRequiredArgument => {
            let end = line.iter().position(|word| word == "--").unwrap_or(line.len());
            line.splice(end..end, missing(program, given, &error));
            program.try_get_matches_from_mut(line)
        }
        result => result,
    }
}

/// Returns the defaults of options that an error reports as missing, as words of a command line.
fn missing(program: &Command, given: &ArgMatches, error: &clap::Error) -> Vec<OsString> {
    let (mut command, mut given) = (program, given);
    while let Some((name, below)) = given.subcommand()
        && let Some(subcommand) = command.find_subcommand(name)
    {
        (command, given) = (subcommand, below);
    }
    let Some(ContextValue::Strings(usages)) = error.get(ContextKind::InvalidArg) else { return Vec::new() };
    let names = usages.iter().filter_map(|usage| usage.split([' ', '=', '[']).next()?.strip_prefix("--"));
    let options = names.filter_map(|name| command.get_arguments().find(|arg| arg.get_long() == Some(name)));
    options.flat_map(words).collect()
}

/// Returns the defaults of an option as words of a command line.
fn words(option: &Arg) -> Vec<OsString> {
    let name = OsString::from(format!("--{}", option.get_long().unwrap_or_default()));
    let values = option.get_default_values().iter().map(OsString::from);
    if !option.get_action().takes_values() {
        // A switch that is off by default is not given.
        values.filter(|value| value == "true").map(|_| name.clone()).collect()
    } else if option.get_num_args().is_some_and(|range| range.max_values() > 1) {
        let values: Vec<OsString> = values.collect();
        if values.is_empty() { values } else { [vec![name], values].concat() }
    } else {
        // One word each, because a value may begin with a dash.
        values.map(|value| [name.clone(), value].join(OsStr::new("="))).collect()
    }
}

/// Returns `true` if the command line gives an option of a command that excludes this one.
fn is_excluded(command: &Command, option: &Arg, given: &ArgMatches) -> bool {
    let is_given = |arg: &Arg| {
        let source = given.value_source(arg.get_id().as_str());
        matches!(source, Some(ValueSource::CommandLine | ValueSource::EnvVariable))
    };
    let exclude = |one: &Arg, other: &Arg| command.get_arg_conflicts_with(one).contains(&other);
    command.get_arguments().any(|arg| is_given(arg) && (exclude(arg, option) || exclude(option, arg)))
}

/// `arena.match` as it is written on a command line.
fn spoken(way: &str) -> String {
    way.replace('.', " ")
}

/// Returns `true` if an option may have a default. Options that act on their own, and the one that names the file, may
/// not.
fn can_have_default(arg: &Arg) -> bool {
    let has_effect =
        matches!(arg.get_action(), ArgAction::Help | ArgAction::HelpShort | ArgAction::HelpLong | ArgAction::Version);
    !has_effect && arg.get_id() != CONFIG
}

/// The options of a command and those below it, each once.
fn names(command: &Command) -> Vec<String> {
    let own = command.get_arguments().filter(|arg| can_have_default(arg)).filter_map(Arg::get_long);
    let mut names: Vec<String> = own.map(str::to_owned).collect();
    names.extend(command.get_subcommands().flat_map(self::names));
    names.sort();
    names.dedup();
    names
}

/// A value as it would be written on a command line; several for an option that can be given more than once.
fn texts(value: &Value) -> Result<Vec<String>, String> {
    match value {
        Value::Array(values) => values.iter().map(text).collect(),
        value => Ok(vec![text(value)?]),
    }
}

fn text(value: &Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => Ok(value.to_string()),
        Value::Datetime(_) | Value::Array(_) | Value::Table(_) => {
            Err("expected a text, a number, true or false, or a list of those".to_owned())
        }
    }
}

/// Checks that an option takes these values.
fn check(option: &Arg, values: &[String]) -> Result<(), String> {
    let expect = |is_so: bool, what: &str| if is_so { Ok(()) } else { Err(format!("expected {what}")) };
    // Number of values per occurrence.
    let (least, most) = option.get_num_args().map_or((1, 1), |range| (range.min_values(), range.max_values()));
    let wanted = format!("{least} values, as a list");
    match option.get_action() {
        ArgAction::SetTrue | ArgAction::SetFalse => {
            expect(matches!(values, [value] if value.parse::<bool>().is_ok()), "true or false")
        }
        ArgAction::Count => {
            expect(matches!(values, [value] if value.parse::<u8>().is_ok()), "how often it is given, as a number")
        }
        ArgAction::Set if !(least..=most).contains(&values.len()) => expect(false, &wanted),
        ArgAction::Append if least > 1 && !values.len().is_multiple_of(least) => expect(false, &wanted),
        _ => values.iter().try_for_each(|value| check_value(option, value)),
    }
}

/// Lets an option that is nothing but its values read one.
fn check_value(option: &Arg, value: &str) -> Result<(), String> {
    let parser = Arg::new("value").long("value").value_parser(option.get_value_parser().clone());
    let parser = Command::new("defaults").no_binary_name(true).arg(parser);
    parser.try_get_matches_from([format!("--value={value}")]).map(drop).map_err(|error| reason(&error))
}

/// Returns the reason of a refused value without advice about command lines.
fn reason(error: &clap::Error) -> String {
    match (error.source(), error.get(ContextKind::ValidValue)) {
        (Some(source), _) => source.to_string(),
        (None, Some(values)) => format!("expected one of {values}"),
        (None, None) => error.kind().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser, Subcommand};

    use super::*;

    #[derive(Parser)]
    #[command(name = "arena")]
    struct Program {
        #[command(subcommand)]
        command: Action,
        #[arg(short, long, action = ArgAction::Count, global = true)]
        verbose: u8,
    }

    #[derive(Subcommand)]
    enum Action {
        Match {
            #[arg(long, default_value_t = 100)]
            games: u32,
            #[arg(long)]
            quiet: bool,
            #[arg(long, num_args = 2, allow_negative_numbers = true)]
            sprt: Option<Vec<f64>>,
            #[arg(long, requires = "sprt")]
            alpha: Option<f64>,
            #[arg(long, requires = "quiet")]
            silent: bool,
            #[arg(long, requires = "permit")]
            salt: Option<String>,
            #[arg(long)]
            permit: Vec<String>,
            #[arg(long, required = true)]
            param: Vec<String>,
            #[arg(long, conflicts_with = "quiet", value_parser = ["2021", "2027"])]
            season: Option<String>,
        },
        Tune {
            #[arg(long)]
            games: Option<u32>,
        },
    }

    fn parsed(text: &str, line: &str) -> Result<Program, String> {
        let defaults = Defaults::read("defaults.toml".into(), text).map_err(|error| error.to_string())?;
        let line: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let given = Program::command().ignore_errors(true).try_get_matches_from(&line).expect("errors are ignored");
        let mut command = defaults.apply(Program::command(), &given).map_err(|error| error.to_string())?;
        command.clone().debug_assert();
        let mut matches = read(&mut command, &given, line).map_err(|error| error.to_string())?;
        clap::FromArgMatches::from_arg_matches_mut(&mut matches).map_err(|error| error.to_string())
    }

    #[test]
    fn file_provides_missing_options() {
        let text = "client.time = 5\n[arena]\ngames = 7\nverbose = 2\n[arena.match]\nquiet = true\nseason = '2021'\n\
                    sprt = [0, 10.5]\nparam = ['a', 'b']\n[arena.tune]\ngames = 8";
        let program = parsed(text, "arena match").unwrap();
        assert_eq!(program.verbose, 2);
        let Action::Match { games, quiet, sprt, param, season, .. } = program.command else { panic!("it is a match") };
        assert_eq!((games, quiet, sprt, season), (7, true, Some(vec![0.0, 10.5]), Some("2021".to_owned())));
        assert_eq!(param, ["a", "b"]);
        let program = parsed(text, "arena match --games 9 --param c --sprt 1 2 -v").unwrap();
        assert_eq!(program.verbose, 1);
        let Action::Match { games, sprt, param, .. } = program.command else { panic!("it is a match") };
        assert_eq!((games, sprt, param), (9, Some(vec![1.0, 2.0]), vec!["c".to_owned()]));
        assert!(matches!(parsed(text, "arena tune").unwrap().command, Action::Tune { games: Some(8) }));
    }

    #[test]
    fn ignores_defaults_excluded_by_command_line() {
        let season = |line| match parsed("[arena]\nseason = 2021\nparam = 'a'", line).map(|program| program.command) {
            Ok(Action::Match { season, quiet, .. }) => Ok((season, quiet)),
            Ok(Action::Tune { .. }) => Err("tune".to_owned()),
            Err(error) => Err(error),
        };
        assert_eq!(season("arena match"), Ok((Some("2021".to_owned()), false)));
        assert_eq!(season("arena match --quiet"), Ok((None, true)));
        assert!(season("arena match --quiet --season 2027").is_err_and(|error| error.contains("cannot be used with")));
        // The other way round, too.
        let quiet = parsed("[arena.match]\nquiet = true\nparam = 'a'", "arena match --season 2027").unwrap().command;
        assert!(matches!(quiet, Action::Match { quiet: false, season: Some(_), .. }));
    }

    #[test]
    fn file_provides_required_companion_options() {
        let text = "[arena.match]\nparam = 'a'\nsprt = [-5, 10]";
        for line in ["arena match --alpha 0.1", "arena -v match --alpha 0.1 --"] {
            let Action::Match { sprt, alpha, .. } = parsed(text, line).unwrap().command else {
                panic!("it is a match")
            };
            assert_eq!((sprt, alpha), (Some(vec![-5.0, 10.0]), Some(0.1)));
        }
        let text = "[arena.match]\nparam = 'a'\nquiet = true\npermit = ['b', '-c']";
        let Action::Match { quiet, permit, .. } = parsed(text, "arena match --silent --salt d").unwrap().command else {
            panic!("it is a match")
        };
        assert_eq!((quiet, permit), (true, vec!["b".to_owned(), "-c".to_owned()]));
        // Other missing options are reported too.
        for (line, missing) in [("--alpha 0.1", "--sprt <SPRT> <SPRT>"), ("--silent", "--quiet")] {
            let told = parsed("[arena.match]\nparam = 'a'", &format!("arena match {line}")).err();
            assert!(told.is_some_and(|told| told.contains("were not provided") && told.contains(missing)), "{line}");
        }
    }

    #[test]
    fn errors_name_the_file() {
        for (text, wrong) in [
            ("games = 7", "there is no `games`; the tables are arena, board, client, trainer"),
            ("[arean]", "there is no `arean`"),
            (
                "[arena]\ngame = 7",
                "there is no `arena.game`; the options of arena are alpha, games, param, permit, quiet",
            ),
            ("[arena.match]\nverbose = 1", "there is no `arena.match.verbose`; the options of arena match are"),
            ("[arena.play]", "there is no `arena.play`; the commands of arena are match, tune"),
            ("[arena]\ngames = 'many'", "`arena.games = \"many\"`: invalid digit"),
            ("[arena]\ngames = -1", "`arena.games = -1`: "),
            ("[arena.match]\nquiet = 1", "`arena.match.quiet = 1`: expected true or false"),
            ("[arena]\nverbose = true", "`arena.verbose = true`: expected how often"),
            ("[arena]\nseason = 2020", "`arena.season = 2020`: expected one of 2021, 2027"),
            ("[arena]\nseason = ['2021', '2027']", ": expected 1 values"),
            ("[arena]\nsprt = 5", "`arena.sprt = 5`: expected 2 values, as a list"),
            ("[arena]\nseason = 2020-01-01", "expected a text, a number"),
            ("[arena]\ngames =", "TOML parse error at line 2"),
        ] {
            let told = parsed(text, "arena tune").err().unwrap_or_else(|| panic!("{text}"));
            assert!(told.starts_with("defaults.toml: ") && told.contains(wrong), "{text}: {told}");
        }
    }
}
