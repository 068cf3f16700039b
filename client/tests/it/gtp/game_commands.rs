//! The commands about the game.

use super::*;

#[test]
fn two_engines_play_whole_games() {
    for &rules in Rules::TWO_PLAYERS {
        let mut engines = ["random", "heuristic"].map(|player| engine(player, rules, Budget::UNLIMITED));
        let [one, two] = &mut engines;
        ask(two, &format!("position {}", ask(one, "position")));
        let start = ask(one, "position");
        let mut plies = 0;
        while !one.game().position().is_over() {
            let color = one.game().position().color();
            let [mover, other] = if plies % 2 == 0 { [&mut *one, &mut *two] } else { [&mut *two, &mut *one] };
            let legal = ask(mover, &format!("all_legal {color}"));
            let mv = ask(mover, &format!("genmove {color}"));
            assert!(legal.lines().any(|line| line == mv), "{mv}");
            ask(other, &format!("play {color} {mv}"));
            plies += 1;
        }
        assert!(plies > 20);
        for command in ["position", "final_score", "showboard"] {
            assert_eq!(ask(one, command), ask(two, command));
        }
        (0..plies).for_each(|_| _ = ask(two, "undo"));
        assert_eq!(ask(two, "position"), start);
    }
}

#[test]
fn explains_every_command() {
    let mut engine = engine("random", Rules::Classic, Budget::UNLIMITED);
    let (help, names) = (ask(&mut engine, "help"), ask(&mut engine, "list_commands"));
    assert!(help.lines().map(|line| line.split(' ').next().unwrap()).eq(names.lines()), "{help}");
    let guide = include_str!("../../../../docs/gtp.md");
    for (line, name) in help.lines().zip(names.lines()) {
        assert!(line.len() <= 80, "{line}");
        assert_eq!(ask(&mut engine, &format!("help {name}")), line);
        assert!(
            guide.contains(&format!("`{name}`")) || guide.contains(&format!("`{name} ")),
            "docs/gtp.md lacks {name}"
        );
    }
    assert_eq!(answer(&mut engine, "help fly").unwrap(), "? unknown command `fly`; `help` lists all\n\n");
}
