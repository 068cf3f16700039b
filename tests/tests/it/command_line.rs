//! The shared command-line options of all programs.

use std::fs;
use std::process::{Command, Output};

use tempfile::TempDir;
use tests::program;

/// The programs, each with a command and an option of that.
const PROGRAMS: [(&str, &str, &str); 4] = [
    ("arena", "match", "--games"),
    ("board", "analyse", "--memory"),
    ("client", "gtp", "--nodes"),
    ("trainer", "train", "--seed"),
];

/// Runs a program and returns its exit code and output.
fn run(command: &mut Command) -> (Option<i32>, String) {
    let Output { status, stdout, stderr } = command.output().expect("the program can be started");
    (status.code(), String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned())
}

/// A folder with a file of defaults.
fn folder(defaults: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    fs::create_dir(folder.path().join("blokus")).expect("it is empty");
    fs::write(folder.path().join("blokus/config.toml"), defaults).expect("it can be written");
    folder
}

/// A program in the folder.
fn command(name: &str, line: &str, folder: &TempDir) -> Command {
    let mut command = program::command(name);
    command.args(line.split_whitespace()).current_dir(folder.path());
    command
}

#[test]
fn completions_know_all_commands() {
    let folder = folder("");
    for (name, subcommand, option) in PROGRAMS {
        for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
            let (code, script) = run(&mut command(name, &format!("completions {shell}"), &folder));
            assert_eq!(code, Some(0), "{script}");
            let option = if shell == "fish" { option.trim_start_matches('-') } else { option };
            assert!(script.contains(subcommand) && script.contains(option), "{name}, {shell}");
        }
    }
}

/// The shell must accept the generated completions.
#[cfg(unix)]
#[test]
fn bash_completes_a_player() {
    let folder = folder("");
    let script = run(&mut command("client", "completions bash", &folder)).1;
    fs::write(folder.path().join("script"), script).expect("there is room");
    let ask = "source ./script; COMP_WORDS=(client --player he); COMP_CWORD=2; _client client he --player; \
               echo \"${COMPREPLY[@]}\"";
    let mut bash = Command::new("bash");
    assert_eq!(run(bash.args(["-c", ask]).current_dir(folder.path())), (Some(0), "heuristic\n".to_owned()));
}

#[test]
fn command_line_overrides_file_overrides_defaults() {
    let folder = folder("[arena]\ndatabase = 'of-file.sqlite'");
    let config = "--config blokus/config.toml";
    for (line, database) in [
        ("list".to_owned(), "arena.sqlite"),
        (format!("list {config}"), "of-file.sqlite"),
        (format!("{config} show 1"), "of-file.sqlite"),
        (format!("list {config} --database of-line.sqlite"), "of-line.sqlite"),
    ] {
        let (code, output) = run(&mut command("arena", &line, &folder));
        assert!(code == Some(1) && output.contains(&format!("there is no database {database}")), "{line}: {output}");
    }
    let (_, output) = run(command("arena", "list", &folder).env(cli::VARIABLE, "blokus/config.toml"));
    assert!(output.contains("of-file.sqlite"), "{output}");
}

#[test]
fn environment_overrides_file() {
    let folder = folder("[arena.work]\nqueue = 'nats://127.0.0.1:1'\nqueue-authority = 'of-file'");
    let work = || command("arena", "work --config blokus/config.toml", &folder);
    assert!(run(&mut work()).1.contains("of-file: "));
    assert!(run(work().env("ARENA_QUEUE_AUTHORITY", "of-environment")).1.contains("of-environment: "));
}

/// The contest must run the same build as the author.
#[cfg(unix)]
#[test]
fn client_ignores_file_of_defaults() {
    let folder = folder("[arena]\ndatabase = 'of-user.sqlite'\n[client]\nplayer = 'nobody'");
    let mut arena = command("arena", "list", &folder);
    let arena = arena.env_remove(cli::VARIABLE).env("XDG_CONFIG_HOME", folder.path());
    assert!(run(arena).1.contains("there is no database of-user.sqlite"));
    let client = |line: &str| {
        let mut client = command("client", line, &folder);
        run(client.env(cli::VARIABLE, "blokus/config.toml").env("XDG_CONFIG_HOME", folder.path()))
    };
    assert_eq!(client("--verify"), (Some(0), String::new()));
    let (code, output) = client("--verify --config blokus/config.toml");
    assert!(code == Some(2) && output.contains("blokus/config.toml: `client.player = \"nobody\"`"), "{output}");
}

#[test]
fn errors_name_the_file() {
    for (name, text, wrong) in [
        ("arena", "[arena]\nplayers = 2", "there is no `arena.players`"),
        ("board", "[board]\nport = 65536", "`board.port = 65536`: 65536 is not in"),
        ("trainer", "[trainer.play]\ngames = 'all'", "`trainer.play.games = \"all\"`: invalid digit"),
        ("client", "[client]\ntime = ", "TOML parse error at line 2"),
        ("client", "[contest]", "there is no `contest`; the tables are arena, board, client, trainer"),
    ] {
        let folder = folder(text);
        let (code, output) = run(&mut command(name, "--config blokus/config.toml --verify", &folder));
        // An error in the file is reported together with errors in the arguments.
        assert!(code == Some(2) && output.contains(wrong) && output.contains("config.toml: "), "{output}");
    }
    let folder = folder("");
    let (code, output) = run(&mut command("client", "--config nowhere.toml --verify", &folder));
    assert!(code == Some(2) && output.contains("cannot read the defaults in nowhere.toml"), "{output}");
}
