//! Tests of the command line.

use super::*;
use clap::CommandFactory;
use clap::error::ErrorKind;

fn parse(arguments: &str) -> Result<Cli, clap::Error> {
    Cli::try_parse_from(["client"].into_iter().chain(arguments.split_whitespace()))
}

#[test]
fn commands_share_names_of_seasons() {
    for season in ["-s 2021", "--season 2021", "--season=2021"] {
        assert_eq!(parse(season).unwrap().settings().season, Season::Season2021);
        let Some(Command::Gtp(args)) = parse(&format!("gtp {season}")).unwrap().command else { panic!("{season}") };
        assert_eq!(args.game, Rules::Season2021);
    }
}

#[test]
fn gtp_understands_options_of_pentobi() {
    let gtp = |arguments: &str| match parse(&format!("gtp {arguments}")).unwrap().command {
        Some(Command::Gtp(args)) => args,
        command => panic!("{command:?}"),
    };
    for arguments in ["-g classic_2 -l 5 -r 7 -q --nobook", "--game c2 --level 5 --seed 7 --quiet --nobook"] {
        let args = gtp(arguments);
        assert_eq!((args.game, args.level, args.player.seed), (Rules::Classic, Level::new(5), Some(7)));
        assert!(args.nobook && args.quiet, "{arguments}");
    }
    let args = gtp("--noresign --threads 2");
    assert_eq!((args.game, args.level, args.player.threads), (Rules::Season2027, None, 2));
    assert!(!args.nobook && !args.quiet);
}

#[test]
fn rejects_hosts_with_ports() {
    for host in ["", "localhost:13050", "http://localhost", "http://localhost:13050", "[::1]:13050", "[localhost]"] {
        let error = parse(&format!("--host={host}")).unwrap_err().to_string();
        assert!(error.contains(host) && error.contains("--port"), "{error}");
    }
    for host in ["::1", "[::1]", "fe80::1%lo", "10.0.0.1"] {
        assert_eq!(parse(&format!("--host {host}")).unwrap().host, host);
    }
}

#[test]
fn wrong_numbers_name_the_range() {
    for (arguments, range) in [
        ("--time x", "from 1"),
        ("--time=-1", "from 1"),
        ("--port 0", "from 1 to 65535"),
        ("--port 70000", "from 1 to 65535"),
        ("--memory 0", "from 1 to 65535"),
        ("--threads 1025", "from 1 to 1024"),
        ("--seed x", "from 0"),
    ] {
        let error = parse(arguments).unwrap_err().to_string();
        assert!(error.contains(&format!("expected a whole number {range}\n")), "{error}");
    }
}

/// Descriptions come from doc comments.
#[test]
fn help_has_no_code_examples() {
    let help = parse("--help").unwrap_err().to_string();
    assert!(help.starts_with(LONG_ABOUT) && !help.contains("```"), "{help}");
    let mut command = Cli::command();
    command.build();
    for subcommand in command.get_subcommands_mut() {
        let help = subcommand.render_long_help().to_string();
        assert!(help.contains("--seed") && !help.contains("```"), "{help}");
    }
}

#[test]
fn accepts_arguments_of_all_contest_systems() {
    let code = || JoinMode::Reservation("c-0-d-e".to_owned());
    for (arguments, host, port, join_mode) in [
        ("-r c-0-d-e -h gameserver -p 13051", "gameserver", 13051, code()),
        ("-h gameserver -p 13051 -r c-0-d-e", "gameserver", 13051, code()),
        ("--reservation c-0-d-e --host 10.0.0.1 --port 1", "10.0.0.1", 1, code()),
        ("--host=::1 --port=65535 --reservation=c-0-d-e", "::1", 65535, code()),
        ("--port 13050 --room 1-2", "localhost", 13050, JoinMode::Room("1-2".to_owned())),
        ("-v", "localhost", 13050, JoinMode::Any),
        ("--reservation= --port 1", "localhost", 1, JoinMode::Any),
        ("--room= --port 1", "localhost", 1, JoinMode::Any),
        ("-hhost -p1", "host", 1, JoinMode::Any),
    ] {
        let options = parse(arguments).unwrap();
        assert_eq!((options.host.as_str(), options.port), (host, port), "{arguments}");
        assert_eq!(options.settings().join_mode, join_mode, "{arguments}");
        assert_eq!(options.settings().season, Season::Season2027);
        assert_eq!(options.settings().budget, Budget::time(Duration::from_millis(1900)));
        assert!(!options.settings().ponder);
    }
    assert!(parse("--ponder").unwrap().settings().ponder);
    let official = Cli::try_parse_from(["client", "-h", "server", "-p", "1", "-r", ""]).unwrap();
    assert_eq!(official.settings().join_mode, JoinMode::Any);
}

#[test]
fn demo_uses_given_times() {
    let times = |arguments: &str| match parse(arguments).unwrap().command {
        Some(Command::Demo(args)) => [args.time(), args.delay()],
        command => panic!("{command:?}"),
    };
    let ms = Duration::from_millis;
    assert_eq!(times("demo"), [demo::DEFAULT_TIME, demo::DEFAULT_TIME / 2]);
    assert_eq!(times("demo --time 1000"), [ms(1000), ms(500)]);
    assert_eq!(times("demo --delay 0"), [demo::DEFAULT_TIME, ms(0)]);
    assert_eq!(["demo", "demo -v"].map(|arguments| parse(arguments).unwrap().log().is_some()), [false, true]);
}

#[test]
fn rejects_wrong_arguments() {
    for (arguments, kind) in [
        ("-h", ErrorKind::InvalidValue),
        ("--season 2020", ErrorKind::ValueValidation),
        ("--time 0", ErrorKind::ValueValidation),
        ("--nodes 0", ErrorKind::ValueValidation),
        ("--patience 0", ErrorKind::ValueValidation),
        ("gtp --time 0", ErrorKind::ValueValidation),
        ("bench --nodes 0", ErrorKind::ValueValidation),
        ("--threads 0", ErrorKind::ValueValidation),
        ("--threads 1025", ErrorKind::ValueValidation),
        ("--cpu sse", ErrorKind::InvalidValue),
        ("--player nobody", ErrorKind::InvalidValue),
        ("--reservation a --room b", ErrorKind::ArgumentConflict),
        ("--memory 0", ErrorKind::ValueValidation),
        ("--param exploration", ErrorKind::ValueValidation),
        ("demo --time 0", ErrorKind::ValueValidation),
        ("demo --delay 3600001", ErrorKind::ValueValidation),
        ("demo --opponent nobody", ErrorKind::InvalidValue),
        ("demo --season 2022", ErrorKind::ValueValidation),
        ("gtp --game chess", ErrorKind::ValueValidation),
        ("gtp --level 10", ErrorKind::ValueValidation),
        ("gtp --level 1 --player random", ErrorKind::ArgumentConflict),
        ("gtp --quiet -v", ErrorKind::ArgumentConflict),
        ("gtp -h", ErrorKind::DisplayHelp),
        // It would have no effect.
        ("bench --ponder", ErrorKind::UnknownArgument),
        ("--port 1 gtp", ErrorKind::ArgumentConflict),
    ] {
        assert_eq!(parse(arguments).map(|_| ()).map_err(|error| error.kind()), Err(kind), "{arguments}");
    }
}
