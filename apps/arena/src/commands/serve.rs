//! `arena serve`

use std::fs;
use std::io::{ErrorKind, Write};
use std::net::ToSocketAddrs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use anyhow::{Context, ensure};
use game::{Team, printable};
use protocol::{Replay, ReplayError, Season, Slot, State};
use record::file;
use server::verdict::{DisconnectReason, Ending, RuleBreach};
use server::{FinishedGame, Limits, Server, ServerOptions, TimeLimits};
use time::OffsetDateTime;

use super::{counted, parse};

#[derive(clap::Args)]
pub struct ServeArguments {
    /// The port to listen on; 0 is any free one
    #[arg(short, long, default_value_t = 13050, value_parser = cli::number(0..=u16::MAX))]
    port: u16,
    /// The address to listen on; anything but the default lets other machines in
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    /// The season: 2021 or 2027
    #[arg(short, long, default_value = "2027", value_parser = parse::season)]
    season: Season,
    /// Password of administrators
    #[arg(long, default_value = protocol::DEFAULT_PASSWORD)]
    password: String,
    /// Play without time limits
    #[arg(long, visible_alias = "notimeout")]
    no_timeout: bool,
    /// Write a replay of every game into this folder
    #[arg(long, visible_alias = "saveReplay", value_name = "FOLDER", num_args = 0..=1, default_missing_value = "replays")]
    save_replay: Option<PathBuf>,
    /// Compress the replays with gzip
    #[arg(long, requires = "save_replay")]
    gzip: bool,
    /// Begin all games in a position of this replay (.xml or .xml.gz); with several, games begin in them in turn
    #[arg(long, visible_alias = "loadGameFile", value_name = "FILE")]
    load_game_file: Vec<PathBuf>,
    /// Turn of the replay to begin with; if it has no such turn, the last one before it [default: the last]
    #[arg(long, requires = "load_game_file", value_parser = cli::number(0..=u16::MAX))]
    turn: Option<u16>,
    /// Prepare this many games and print the codes of their places
    #[arg(long, value_name = "GAMES", default_value_t = 0, value_parser = cli::number(0..=1000u32))]
    prepare: u32,
    /// End after this many games with a result
    #[arg(long, value_parser = cli::number(1u64..))]
    games: Option<u64>,
    /// Seed of the start pieces [default: a different one each time]
    #[arg(long, value_parser = cli::number(0u64..))]
    seed: Option<u64>,
}

/// Interval at which the server checks whether it should stop.
const POLL: Duration = Duration::from_millis(50);

/// End of the name of a replay whose game was interrupted.
const INTERRUPTED: &str = "_interrupted";

pub fn run(arguments: &ServeArguments, out: &mut impl Write) -> anyhow::Result<()> {
    if let Some(folder) = &arguments.save_replay {
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    let stop = cli::stop_on_signal()?;
    let server = Server::start(options(arguments)?);
    let is_in_use = server.as_ref().is_err_and(|error| error.kind() == ErrorKind::AddrInUse);
    let hint = if is_in_use { " (is another server running?)" } else { "" };
    let server =
        server.with_context(|| format!("cannot listen on {} port {}{hint}", arguments.host, arguments.port))?;
    writeln!(out, "season {}, listening on {}", arguments.season, server.address())?;
    for _ in 0..arguments.prepare {
        let slot = || Slot { display_name: None, can_timeout: true, reserved: true };
        let prepared = server.prepare([slot(), slot()]).context("the server has stopped")?;
        writeln!(out, "room {}, reservations {}", prepared.room, prepared.reservations.join(" "))?;
    }
    let (mut games, mut lost, mut written) = (0, None, Ok(()));
    // A failed write must not end the running games.
    let mut keep = |replay: &Replay| {
        if let Some(folder) = &arguments.save_replay
            && let Err(error) = save(replay, folder, arguments.gzip)
        {
            log::error!("{error:#}");
            lost.get_or_insert(error);
        }
    };
    while !stop.load(Ordering::Relaxed) {
        let game = match server.finished().recv_timeout(POLL) {
            Ok(game) => game,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => break,
        };
        let description = describe(&game);
        keep(&game.into());
        written = writeln!(out, "{description}");
        if written.is_err() {
            break;
        }
        games += 1;
        if arguments.games == Some(games) {
            break;
        }
    }
    if stop.load(Ordering::Relaxed) || written.is_err() {
        let unfinished = server.unfinished();
        unfinished.iter().for_each(keep);
        written =
            written.and_then(|()| writeln!(out, "Interrupted; {} running.", counted(unfinished.len() as u64, "game")));
    }
    lost.map_or(Ok(()), Err)?;
    Ok(written?)
}

fn options(arguments: &ServeArguments) -> anyhow::Result<ServerOptions> {
    // An address of IPv6 may stand in brackets, as it does before a port.
    let host = arguments.host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(&arguments.host);
    let mut addresses = (host, arguments.port).to_socket_addrs();
    let address = addresses.as_mut().ok().and_then(Iterator::next);
    Ok(ServerOptions {
        address: address.with_context(|| format!("`{}` is not an address of this machine", arguments.host))?,
        season: arguments.season,
        time_limits: (!arguments.no_timeout).then(TimeLimits::default),
        password: arguments.password.clone(),
        start: arguments.load_game_file.iter().map(|path| start(path, arguments)).collect::<Result<_, _>>()?,
        seed: arguments.seed,
        limits: Limits::default(),
    })
}

/// Returns the start state for games from a replay.
fn start(path: &Path, arguments: &ServeArguments) -> anyhow::Result<State> {
    let replay = file::read_replay(path).with_context(|| format!("cannot load the game {}", path.display()))?;
    let (season, wanted) = (replay.season, arguments.season);
    ensure!(season == wanted, "{} is of season {season}, the server of season {wanted}", path.display());
    let first = replay.states.first().map_or(0, |state| state.position.turn());
    let state = replay.state_at(arguments.turn);
    let state = state.with_context(|| format!("{} begins with turn {first}", path.display()))?;
    let turn = state.position.turn();
    let impossible = state.inconsistencies(None).pop().map(|inconsistency| ReplayError::Start { turn, inconsistency });
    impossible.map_or(Ok(()), Err).with_context(|| format!("cannot load the game {}", path.display()))?;
    Ok(state.clone())
}

fn describe(game: &FinishedGame) -> String {
    let [one, two] = Team::ALL.map(|team| {
        let score = game.result.score(team);
        let name = printable(score.name.as_deref().unwrap_or(team.name()));
        format!("{name} {} (slowest {} ms)", score.points, game.slowest(team).as_millis())
    });
    let winner = game.result.winner().map_or("draw".to_owned(), |team| format!("{team} wins"));
    let faults = match &game.ending {
        Ending::Regular => String::new(),
        Ending::Fault { team, fault } => format!(" ({team}: {})", description(fault)),
        Ending::Faults([one, two]) => format!(" (ONE: {}, TWO: {})", description(one), description(two)),
    };
    format!("{one} : {two}, {winner}{faults}")
}

/// Describes a fault in a few words.
fn description(fault: &RuleBreach) -> String {
    match fault {
        // The server's reason is in German.
        RuleBreach::IllegalMove { reason, .. } => format!("illegal move, `{reason}`"),
        RuleBreach::OutOfTurn(_) => "move out of turn".to_owned(),
        RuleBreach::Late => "late answer".to_owned(),
        RuleBreach::Silent => "no answer".to_owned(),
        RuleBreach::Left(DisconnectReason::ProtocolError | DisconnectReason::Unknown) => {
            "message that cannot be read".to_owned()
        }
        RuleBreach::Left(DisconnectReason::NotConnected) => "never came".to_owned(),
        RuleBreach::Left(DisconnectReason::LostConnection | DisconnectReason::ReceivedDisconnect) => "left".to_owned(),
    }
}

fn save(replay: &Replay, folder: &Path, gzip: bool) -> anyhow::Result<()> {
    let names = Team::ALL.map(|team| replay.result.as_ref().and_then(|result| result.score(team).name.as_deref()));
    let time = file_time(OffsetDateTime::now_utc());
    let mark = if replay.result.is_some() { "" } else { INTERRUPTED };
    let ending = [mark, if gzip { ".xml.gz" } else { ".xml" }].concat();
    let path = folder.join(file_name(replay.season, &time, &replay.room, names, &ending));
    file::write(&path, &replay.to_xml()).with_context(|| format!("cannot write {}", path.display()))?;
    log::info!("wrote {}", path.display());
    Ok(())
}

/// Returns a time (UTC) as part of a file name, for example `2027-01-02_03-04-05.678`.
fn file_time(time: OffsetDateTime) -> String {
    let ((hour, minute, second, milli), date) = (time.to_hms_milli(), time.date());
    format!("{date}_{hour:02}-{minute:02}-{second:02}.{milli:03}")
}

/// Returns the file name of a replay. Games that end at the same moment between the same players still differ in their
/// rooms.
fn file_name(season: Season, time: &str, room: &str, names: [Option<&str>; 2], ending: &str) -> String {
    // File systems take 255 bytes; a letter has four at most.
    const MAX_NAME: usize = 20;
    let cut = |text: &str, max_letters: usize| -> String {
        // Names come from clients and must not lead out of the folder.
        text.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).take(max_letters).collect()
    };
    let [one, two] = Team::ALL.map(|team| cut(names[team as usize].unwrap_or(team.name()), MAX_NAME));
    format!("replay_{}_{time}_{}_{one}_{two}{ending}", season.game_type(), cut(room, 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replay_names_are_unique_and_valid() {
        let time = file_time(OffsetDateTime::UNIX_EPOCH + Duration::from_millis(1_798_859_045_078));
        let name = |room: &str, names| file_name(Season::Season2027, &time, room, names, ".xml.gz");
        let one = name("0a1b2c3d-0000", [None; 2]);
        assert!(one.ends_with("_2027-01-02_03-04-05.078_0a1b2c3d_ONE_TWO.xml.gz"), "{one}");
        assert_ne!(one, name("4e5f6a7b-0000", [None; 2]));
        let long = ["../".repeat(100), "\u{10400}".repeat(300)];
        let name = name("0a1b2c3d-0000", long.each_ref().map(|name| Some(name.as_str())));
        assert!(name.len() <= 255 && !name.contains('/'), "{name}");
    }
}
