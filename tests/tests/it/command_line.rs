//! The shell completions of all programs.

use std::process::Command;

use crate::support::program;

/// The programs, each with a command and an option of that.
const PROGRAMS: [(&str, &str, &str); 4] = [
    ("arena", "match", "--games"),
    ("board", "analyse", "--memory"),
    ("client", "gtp", "--nodes"),
    ("trainer", "train", "--seed"),
];

/// Returns the output of a program that must succeed.
fn output(command: &mut Command) -> String {
    let output = command.output().expect("the program can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn completions(name: &str, shell: &str) -> String {
    output(program::command(name).args(["completions", shell]))
}

#[test]
fn completions_know_all_commands() {
    for (name, subcommand, option) in PROGRAMS {
        for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
            let script = completions(name, shell);
            let option = if shell == "fish" { option.trim_start_matches('-') } else { option };
            assert!(script.contains(subcommand) && script.contains(option), "{name}, {shell}");
        }
    }
}

/// The shell must accept the generated completions.
#[cfg(unix)]
#[test]
fn bash_completes_a_player() {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    std::fs::write(folder.path().join("script"), completions("client", "bash")).expect("there is room");
    let ask = "source ./script; COMP_WORDS=(client --player he); COMP_CWORD=2; _client client he --player; \
               echo \"${COMPREPLY[@]}\"";
    assert_eq!(output(Command::new("bash").args(["-c", ask]).current_dir(folder.path())), "heuristic\n");
}
