//! Plays a game between two players and prints their moves and evaluations.
//!
//! ```text
//! cargo run --release -p blokus-player --example two_players -- [NAME [NAME [NODES]]]
//! ```

use game::{Piece, Position, Rules, Team};
use player::{Options, SearchLimits, by_name};

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let mut player = |default: &str| by_name(&arguments.next().unwrap_or(default.to_owned()), &Options::default());
    let mut players = [player("mcts")?, player("heuristic")?];
    let nodes = arguments.next().map_or(Ok(200), |text| text.parse())?;

    let mut position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
    while !position.is_over() {
        let team = position.color().team();
        let report = players[team as usize].choose(&position, &SearchLimits::nodes(nodes));
        let win = report.evaluation.map_or(String::new(), |found| format!(", {:.0} % to win", 100.0 * found.win));
        println!("{} {}{win}", position.color(), report.mv);
        position.try_play(report.mv)?;
    }
    for team in Team::ALL {
        println!("team {team} ({}): {} points", players[team as usize].name(), position.team_points(team));
    }
    Ok(())
}
