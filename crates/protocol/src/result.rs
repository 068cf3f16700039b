//! Results of games.

use game::Team;

use crate::element::Element;
use crate::error::{MessageError, attribute, child, number, team};
use crate::season::Season;

/// The result of a game.
///
/// ```
/// use game::Team;
/// use protocol::{Cause, GameResult, Score};
///
/// let scores = [Score::new(Cause::Regular, 0, 80), Score::new(Cause::Regular, 2, 90)];
/// let (winners, reason) = (vec![Team::Two], String::new());
/// let result = GameResult { scores, is_lone: false, winners, regular: true, reason };
/// assert_eq!((result.winner(), result.score(Team::Two).points), (Some(Team::Two), 90));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameResult {
    /// The scores of both teams, in the order of [`Team::ALL`].
    pub scores: [Score; 2],
    /// `true` if no second player joined. The wire has no score for team two then; here it is a score without points.
    pub is_lone: bool,
    /// The teams that the server names as winners; see [`winner`](Self::winner) for the truth.
    pub winners: Vec<Team>,
    /// `true` if the game ended by the rules and not by a player's fault.
    pub regular: bool,
    /// Reason of the result as text; only in season 2027.
    pub reason: String,
}

/// Score of a team in a game.
///
/// ```
/// use protocol::{Cause, Score};
///
/// assert_eq!(Score::new(Cause::Left, 0, 12).cause.name(), "LEFT");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Score {
    /// Name of the player, if known.
    pub name: Option<String>,
    /// The end of the game for the team; always [`Cause::Regular`] in season 2027.
    pub cause: Cause,
    /// The same as text; only in season 2021.
    pub reason: String,
    /// 2 for a win, 1 for a draw, 0 for a loss.
    pub victory_points: i32,
    /// Points of both colours. Season 2027 gives none to a team that broke a rule.
    pub points: i32,
}

/// End of a game for a team in season 2021.
///
/// ```
/// assert_eq!(protocol::Cause::SoftTimeout.name(), "SOFT_TIMEOUT");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Cause {
    /// The game ended by the rules.
    Regular,
    /// The player left.
    Left,
    /// The player broke the rules.
    RuleViolation,
    /// The player answered too late.
    SoftTimeout,
    /// The player did not answer.
    HardTimeout,
    /// Another cause.
    Unknown,
}

impl Cause {
    const NAMES: [(Self, &str); 6] = [
        (Self::Regular, "REGULAR"),
        (Self::Left, "LEFT"),
        (Self::RuleViolation, "RULE_VIOLATION"),
        (Self::SoftTimeout, "SOFT_TIMEOUT"),
        (Self::HardTimeout, "HARD_TIMEOUT"),
        (Self::Unknown, "UNKNOWN"),
    ];

    /// Returns the name on the wire, for example `SOFT_TIMEOUT`.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].1
    }

    fn from_name(name: &str) -> Self {
        Self::NAMES.into_iter().find(|(_, known)| *known == name).map_or(Self::Unknown, |(cause, _)| cause)
    }
}

/// Placeholder for a missing player name in messages of season 2021.
pub const NO_NAME: &str = "Unknown";

impl GameResult {
    /// Returns the team that won, or `None` for a draw. Only the victory points tell: the official server
    /// of season 2021 names the wrong winner when a player leaves or is late.
    pub fn winner(&self) -> Option<Team> {
        let [one, two] = [self.scores[0].victory_points, self.scores[1].victory_points];
        match one.cmp(&two) {
            std::cmp::Ordering::Less => Some(Team::Two),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(Team::One),
        }
    }

    /// Returns the score of a team.
    pub fn score(&self, team: Team) -> &Score {
        &self.scores[team as usize]
    }

    /// Returns the teams that had a player.
    fn teams(&self) -> impl Iterator<Item = Team> {
        Team::ALL.into_iter().take(if self.is_lone { 1 } else { Team::ALL.len() })
    }

    pub(crate) fn parse(data: &Element, season: Season) -> Result<Self, MessageError> {
        match season {
            Season::Season2021 => Self::parse_2021(data),
            Season::Season2027 => Self::parse_2027(data),
        }
    }

    fn parse_2021(data: &Element) -> Result<Self, MessageError> {
        let mut scores = data.find_all("score");
        let one = Score::parse(scores.next().ok_or_else(|| MessageError::missing(data, "score"))?)?;
        let two = scores.next().map(Score::parse).transpose()?;
        let is_lone = two.is_none();
        let two = two.unwrap_or_else(|| one.of_nobody());
        let mut scores = [one, two];
        let mut winners = Vec::new();
        for winner in data.find_all("winner") {
            let team = team(child(winner, "color")?.text())?;
            let name = winner.attribute("displayName").filter(|&name| name != NO_NAME);
            scores[team as usize].name = name.map(str::to_owned);
            winners.push(team);
        }
        let regular = scores.iter().all(|score| score.cause == Cause::Regular);
        Ok(Self { scores, is_lone, winners, regular, reason: String::new() })
    }

    fn parse_2027(data: &Element) -> Result<Self, MessageError> {
        let mut scores = [None, None];
        for entry in child(data, "scores")?.find_all("entry") {
            let player = child(entry, "player")?;
            let score = Score::parse(child(entry, "score")?)?;
            let name = player.attribute("name").map(str::to_owned);
            scores[team(attribute(player, "team")?)? as usize] = Some(Score { name, ..score });
        }
        let [Some(one), two] = scores else { return Err(MessageError::missing(data, "score of a team")) };
        let is_lone = two.is_none();
        let two = two.unwrap_or_else(|| one.of_nobody());
        let winner = data.find("winner");
        let value = |name| winner.and_then(|winner| winner.attribute(name));
        Ok(Self {
            scores: [one, two],
            is_lone,
            winners: value("team").map(team).transpose()?.into_iter().collect(),
            regular: value("regular") != Some("false"),
            reason: value("reason").unwrap_or_default().to_owned(),
        })
    }

    pub(crate) fn to_element(&self, season: Season) -> Element {
        let definition = Element::new("definition").with_children(score_fragments(season));
        let data = Element::new("data").with("class", "result").with_child(definition);
        match season {
            Season::Season2021 => data
                .with_children(self.teams().map(|team| {
                    let score = self.score(team);
                    score.parts(Element::new("score").with("cause", score.cause.name()).with("reason", &score.reason))
                }))
                .with_children(self.winners.iter().map(|&team| {
                    Element::new("winner")
                        .with("displayName", self.score(team).name.as_deref().unwrap_or(NO_NAME))
                        .with_child(Element::new("color").with("class", "team").with_text(team))
                })),
            Season::Season2027 => data.with_child(self.scores_2027()).with_child(self.winner_2027()),
        }
    }

    fn scores_2027(&self) -> Element {
        Element::new("scores").with_children(self.teams().map(|team| {
            let score = self.score(team);
            let player = Element::new("player").with_optional("name", score.name.as_ref());
            Element::new("entry").with_child(player.with("team", team)).with_child(score.parts(Element::new("score")))
        }))
    }

    fn winner_2027(&self) -> Element {
        let winner = Element::new("winner").with_optional("team", self.winners.first());
        winner.with("regular", self.regular).with("reason", &self.reason)
    }
}

/// Returns the meaning of the two columns of a result.
fn score_fragments(season: Season) -> [Element; 2] {
    let [victories, points] = season.score_fragments();
    [(victories, "SUM"), (points, "AVERAGE")].map(|(name, aggregation)| {
        Element::new("fragment")
            .with("name", name)
            .with_child(Element::new("aggregation").with_text(aggregation))
            .with_child(Element::new("relevantForRanking").with_text(true))
    })
}

impl Score {
    /// Creates a score without a name or a reason.
    pub fn new(cause: Cause, victory_points: i32, points: i32) -> Self {
        Self { name: None, cause, reason: String::new(), victory_points, points }
    }

    /// Returns the score of an opponent who never joined: no team has won.
    fn of_nobody(&self) -> Self {
        Self::new(Cause::Regular, self.victory_points, 0)
    }

    fn parse(element: &Element) -> Result<Self, MessageError> {
        let mut parts = element.find_all("part");
        let mut part = || number(parts.next().ok_or_else(|| MessageError::missing(element, "part"))?.text());
        let score = Self::new(element.attribute("cause").map_or(Cause::Regular, Cause::from_name), part()?, part()?);
        Ok(Self { reason: element.attribute("reason").unwrap_or_default().to_owned(), ..score })
    }

    fn parts(&self, element: Element) -> Element {
        element
            .with_child(Element::new("part").with_text(self.victory_points))
            .with_child(Element::new("part").with_text(self.points))
    }
}
