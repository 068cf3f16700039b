//! Searches for an order of messages.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Instant;

use super::{ACTION_LIMIT, Action, Followed, Ids, LATE, OBSTACLES, Role, Session, Step};
use protocol::{Element, Frame, Framer};
use server::verdict::Departure;
use server::{ClientId, Document, Lobby};

/// Progress of a client.
#[derive(Clone, Debug, Default)]
pub(super) struct Actor {
    pub(super) document: Document,
    /// Number of messages sent.
    pub(super) sent: usize,
    /// Number of bytes received.
    pub(super) got: usize,
    pub(super) is_closed: bool,
}

/// The lobby and the clients at some moment.
#[derive(Clone)]
pub(super) struct Stage<'a> {
    pub(super) session: &'a Session,
    pub(super) lobby: Lobby,
    pub(super) now: Instant,
    pub(super) actors: Vec<Actor>,
    pub(super) ids: Ids,
}

impl Stage<'_> {
    fn is_complete(&self, actor: usize) -> bool {
        self.actors[actor].got == self.session.roles[actor].answers.len()
    }

    fn is_done(&self) -> bool {
        let has_sent_all = |(actor, role): (&Actor, &Role)| actor.sent == role.messages.len();
        (0..self.actors.len()).all(|actor| self.is_complete(actor))
            && self.actors.iter().zip(&self.session.roles).all(has_sent_all)
    }

    fn progress(&self) -> usize {
        self.actors.iter().map(|actor| actor.got).sum()
    }

    /// Stands for all that matters of this moment.
    fn hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        format!("{:?} {:?}", self.actors, self.lobby).hash(&mut hasher);
        hasher.finish()
    }

    /// What may happen next.
    fn actions(&self) -> Vec<Action> {
        let may_send = |&actor: &usize| self.actors[actor].sent < self.session.roles[actor].messages.len();
        let may_break_off = |&actor: &usize| {
            !may_send(&actor) && self.is_complete(actor) && !self.actors[actor].is_closed && self.actors[actor].sent > 0
        };
        let actors = || 0..self.actors.len();
        let sends = actors().filter(may_send).map(Action::Send);
        let late = actors().filter(may_send).map(Action::SendLate);
        let ends = actors().filter(may_break_off).map(Action::BreakOff);
        let deadline = self.lobby.next_deadline().map(|_| Action::Deadline);
        sends.chain(late).chain(deadline).chain(ends).collect()
    }

    /// Returns the state after an action, or the contradiction to the recordings.
    fn after(&self, action: Action) -> Result<Self, String> {
        let mut stage = self.clone();
        match action {
            Action::Send(actor) => stage.send(actor)?,
            Action::SendLate(actor) => {
                stage.now += LATE;
                stage.lobby.tick(stage.now);
                stage.send(actor)?;
            }
            Action::BreakOff(actor) => {
                stage.actors[actor].is_closed = true;
                stage.lobby.disconnect(actor as ClientId, Departure::LostConnection);
            }
            Action::Deadline => {
                stage.now = stage.lobby.next_deadline().unwrap_or(stage.now);
                stage.lobby.tick(stage.now);
            }
        }
        stage.listen()?;
        Ok(stage)
    }

    fn send(&mut self, actor: usize) -> Result<(), String> {
        let role = &self.session.roles[actor];
        let message = self.session.translate(&self.ids, &role.messages[self.actors[actor].sent]);
        let message = message.ok_or_else(|| format!("{} does not know an identifier yet", role.name))?;
        let mut framer = Framer::new(Framer::DEFAULT_LIMIT).as_official_server();
        if self.actors[actor].sent == 0 {
            self.lobby.connect(actor as ClientId, self.now);
        } else {
            framer.push(b"<protocol>");
        }
        self.actors[actor].sent += 1;
        if self.actors[actor].is_closed {
            return Ok(());
        }
        framer.push(&message);
        let client = actor as ClientId;
        match framer.next_frame() {
            Ok(Some(Frame::Element(element))) => self.receive(client, &element),
            Ok(Some(Frame::End)) => self.lobby.disconnect(client, Departure::LostConnection),
            Ok(None) => {}
            Err(_) => self.lobby.disconnect(client, Departure::ProtocolError),
        }
        Ok(())
    }

    fn receive(&mut self, client: ClientId, element: &Element) {
        self.lobby.receive(client, element, self.now);
    }

    /// Compares the lobby's output with the recordings.
    fn listen(&mut self) -> Result<(), String> {
        // Undelivered states would make copies of the lobby slow.
        self.lobby.take_states();
        for (client, output) in self.lobby.take_outputs() {
            let (actor, role) = (&mut self.actors[client as usize], &self.session.roles[client as usize]);
            let text = actor.document.write(&output);
            actor.is_closed |= matches!(output, server::Output::Close { .. });
            let expected = &role.answers[actor.got..];
            match self.ids.follow(expected, &text) {
                Followed::All(bytes) => actor.got += bytes,
                // Nobody records how the server takes leave of somebody who has gone.
                Followed::Surplus(0) if ["<protocol/>", protocol::CLOSING].contains(&text.as_str()) => {}
                Followed::Surplus(bytes) if role.is_cut_off => actor.got += bytes,
                Followed::Surplus(_) => return Err(format!("{} gets more than was recorded: {text}", role.name)),
                Followed::Differs(bytes) => {
                    let [expected, text] = [expected, &text].map(|text| excerpt(text, bytes));
                    return Err(format!("{} should get\n{expected}\nbut gets\n{text}", role.name));
                }
            }
        }
        Ok(())
    }
}

/// The part of a text around a byte.
fn excerpt(text: &str, at: usize) -> String {
    let before = text.get(..at).unwrap_or_default().chars().rev().take(100).collect::<Vec<_>>();
    before.into_iter().rev().chain(text.get(at..).unwrap_or_default().chars().take(200)).collect()
}

/// The search for an order.
#[derive(Default)]
pub(super) struct Search {
    pub(super) steps: Vec<Step>,
    pub(super) actions: usize,
    /// Hashes of searched states that follow actions without answers.
    pub(super) visited: HashSet<u64>,
    /// Most bytes that ever agreed, and the obstacle there.
    pub(super) furthest: usize,
    pub(super) obstacles: Vec<String>,
}

impl Search {
    /// Searches for the rest of an order and leaves it in `steps`.
    pub(super) fn go_on(&mut self, stage: &Stage) -> bool {
        if stage.is_done() {
            return true;
        }
        if stage.progress() > self.furthest {
            self.furthest = stage.progress();
            self.obstacles.clear();
        }
        // Actions with answers come first.
        let (mut answered, mut silent) = (Vec::new(), Vec::new());
        for action in stage.actions() {
            self.actions += 1;
            match stage.after(action) {
                Ok(next) if next.progress() > stage.progress() => answered.push((action, next)),
                // Waiting without an answer changes nothing.
                Ok(_) if matches!(action, Action::SendLate(_) | Action::Deadline) => {}
                Ok(next) => silent.push((action, next)),
                Err(obstacle) if stage.progress() == self.furthest && self.obstacles.len() < OBSTACLES => {
                    self.obstacles.push(format!("after {action:?} {obstacle}"));
                }
                Err(_) => {}
            }
        }
        let first_silent = answered.len();
        for (number, (action, next)) in answered.into_iter().chain(silent).enumerate() {
            if self.actions >= ACTION_LIMIT {
                return false;
            }
            if number >= first_silent && !self.visited.insert(next.hash()) {
                continue;
            }
            self.steps.push((action, next.actors.iter().map(|actor| actor.got).collect()));
            if self.go_on(&next) {
                return true;
            }
            self.steps.pop();
        }
        false
    }
}
