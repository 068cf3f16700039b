//! Contestants of a plan.

use std::path::{Path, PathBuf};

use super::PlanError;
use super::key::hash_of_file;
use crate::engines::process::shell_quote;
use crate::engines::{Budget, Spec, SpecError, is_path};
use crate::files::sha256;

/// Placeholder for the program in the text of a contestant.
pub(super) const PROGRAM: &str = "{program}";

/// Contestant of a plan.
#[derive(Clone, PartialEq, Debug)]
pub struct Entrant {
    /// Name in tables.
    pub name: String,
    /// Text of the contestant in the plan.
    pub player: String,
    /// The file of the program that stands for `{program}` in that text.
    pub program: Option<PathBuf>,
    /// The parsed text, with the limits per move.
    pub spec: Spec,
}

impl Entrant {
    /// Parses a contestant. `{program}` in the text stands for a file's path. Limits in the text override `budget`.
    ///
    /// # Errors
    /// [`SpecError`] if the text is no contestant, or has a place for a program and there is none, or the other way
    /// round.
    pub fn new(player: &str, program: Option<&Path>, name: Option<&str>, budget: Budget) -> Result<Self, SpecError> {
        let error = |reason: &str| SpecError { text: player.to_owned(), reason: reason.to_owned() };
        let is_command = player.starts_with("gtp:") || player.starts_with("exec:");
        let text = match (program, is_command && player.contains(PROGRAM)) {
            (None, false) => player.to_owned(),
            (Some(_), false) => return Err(error("a command with `{program}` is needed where a program is named")),
            (None, true) => return Err(error("the program that stands for `{program}` is not named")),
            (Some(program), true) => {
                let path = program.to_str().ok_or_else(|| error("the path of the program is not UTF-8"))?;
                let is_alone = player == format!("exec:{PROGRAM}") && is_path(path);
                player.replace(PROGRAM, &if is_alone { path.to_owned() } else { quoted(path) })
            }
        };
        Ok(Self {
            name: name.unwrap_or(player).to_owned(),
            player: player.to_owned(),
            program: program.map(Path::to_owned),
            spec: text.parse::<Spec>()?.or_budget(budget),
        })
    }

    /// Returns the permit with which the owner of another machine allows this contestant's program: a hash of the
    /// command and the program, as 64 hexadecimal digits. `None` for built-in players.
    pub fn permit(&self) -> Result<Option<String>, PlanError> {
        if self.spec.built_in().is_some() {
            return Ok(None);
        }
        let program = match &self.program {
            Some(path) => hash_of_file(path)?,
            None => String::new(),
        };
        Ok(Some(sha256(format!("{}\n{program}", self.player))))
    }
}

impl From<Spec> for Entrant {
    fn from(spec: Spec) -> Self {
        Self { name: spec.to_string(), player: spec.to_string(), program: None, spec }
    }
}

/// Quotes a path for the shell. `./` keeps the shell from searching `PATH`.
fn quoted(path: &str) -> String {
    shell_quote(&if path.contains(std::path::is_separator) { path.to_owned() } else { format!("./{path}") })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn text(player: &str, program: Option<&str>) -> Result<String, String> {
        let entrant = Entrant::new(player, program.map(Path::new), None, Budget::UNLIMITED);
        entrant.map(|entrant| entrant.spec.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn permit_depends_on_command_and_program() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("engine");
        let permit = |player: &str, contents: &str| {
            fs::write(&path, contents).unwrap();
            Entrant::new(player, Some(&path), None, Budget::UNLIMITED).unwrap().permit().unwrap().unwrap()
        };
        let first = permit("gtp:{program}", "a");
        assert_eq!((permit("gtp:{program}", "a"), first.len()), (first.clone(), 64));
        assert_ne!(permit("gtp:{program}", "b"), first);
        assert_ne!(permit("gtp:{program} -x", "a"), first);
        let built_in = Entrant::new("random", None, None, Budget::UNLIMITED).unwrap();
        assert_eq!(built_in.permit().unwrap(), None);
    }

    #[test]
    fn replaces_program_with_path() {
        let engine = shell_quote("a/engine");
        assert_eq!(text("gtp:{program} --level 3", Some("a/engine")), Ok(format!("gtp:{engine} --level 3")));
        assert_eq!(text("exec:{program}", Some("player.jar")), Ok("exec:player.jar".to_owned()));
        assert_eq!(text("exec:{program}", Some("my players/a.zip")), Ok("exec:my players/a.zip".to_owned()));
        assert_eq!(text("exec:sh {program}", Some("a.jar")), Ok(format!("exec:sh {}", shell_quote("./a.jar"))));
        assert_eq!(text("exec:{program}", Some("it's/x y")), Ok(format!("exec:{}", shell_quote("it's/x y"))));
        for (player, program) in [("exec:{program}", None), ("exec:other", Some("a")), ("random", Some("a"))] {
            assert!(text(player, program).unwrap_err().contains(player));
        }
    }
}
