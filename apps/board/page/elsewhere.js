// Games from elsewhere: of a game server, and of the database of the arena with its openings.

import { elsewhere, pageOf } from "./connection.js";
import { button, make } from "./dom.js";
import { moveButton } from "./piece.js";
import { percent, words } from "./words.js";

/** Interval between two requests, in milliseconds. */
const REFRESH = 2000;
/** First turn without openings. */
const OPENING_TURNS = 8;

/** Polls and shows every answer until one is null. Reports an error once. */
function follow(ask, show, complain) {
  let failed = false;
  const again = async () => {
    try {
      const answer = await ask();
      if (answer === null) return;
      await show(answer);
      failed = false;
    } catch (error) {
      if (!failed) complain(error);
      failed = true;
    }
    setTimeout(again, REFRESH);
  };
  if (elsewhere) again();
}

/** The list of games in progress at a game server. */
export function liveList(complain) {
  const all = make("ul", { class: "recent" });
  const part = make("section", { hidden: true }, make("h2", {}, words.liveGames), all);
  let shown = null;
  const show = (games) => {
    part.hidden = false;
    if (JSON.stringify(games) === shown) return;
    shown = JSON.stringify(games);
    const title = (names, room) => (names.some(Boolean) ? names.map((name, i) => name || words[["ONE", "TWO"][i]]).join(" – ") : room);
    const link = ({ token, room, names, moves }) => make(
      "li", {}, make("a", { href: pageOf(token) }, title(names, room)), make("small", {}, words.afterMoves(moves)),
    );
    all.replaceChildren(...(games.length ? games.map(link) : [make("li", {}, words.noGames)]));
  };
  follow(() => elsewhere.live(), show, complain);
  return part;
}

/** The list of games that the arena is playing; `enter(links)` goes to a game. */
export function runningList(enter, complain) {
  const all = make("ul", { class: "recent" });
  const part = make("section", { hidden: true }, make("h2", {}, words.running), all);
  let shown = null;
  const show = (games) => {
    part.hidden = !games.length;
    if (JSON.stringify(games) === shown) return;
    shown = JSON.stringify(games);
    const open = async (id) => enter(await elsewhere.openRunning(id));
    all.replaceChildren(...games.map(({ id, names, moves }) => make(
      "li", {}, button(names.join(" – "), () => open(id).catch(complain), "file"), make("small", {}, words.afterMoves(moves)),
    )));
  };
  follow(() => elsewhere.running(), show, complain);
  return part;
}

/** A match that shows its games when it is opened; `update(match)` shows it as it is now, `open(id)` opens a game. */
function matchItem(open, complain) {
  const title = make("summary");
  const games = make("ul", { class: "recent" });
  let [now, shown] = [null, -1];
  const details = make("details", { ontoggle: () => list().catch(complain) }, title, games);
  const line = (game) => {
    const [one, two] = game.names.map((name, team) => `${name} ${game.points[team]}`);
    return make("li", {}, button(`${game.id}`, () => open(game.id).catch(complain), "file"), ` ${one} – ${two}${game.result === "unfinished" ? `, ${words.unfinished}` : ""}`);
  };
  const list = async () => {
    if (!details.open || now.games === shown) return;
    shown = now.games;
    games.replaceChildren(...(await elsewhere.games(now.id)).map(line));
  };
  const update = async (match) => {
    now = match;
    title.textContent = `${match.names.join(" – ")} (${words[match.rules]}): ${words.matchState(match.games, match.points)}`;
    await list();
  };
  return { element: make("li", {}, details), update };
}

/** The list of matches in the database of the arena; `enter(links)` goes to a game. */
export function matchList(enter, complain) {
  const items = new Map();
  const all = make("ul", { class: "recent" });
  const part = make("section", { hidden: true }, make("h2", {}, words.matches), all);
  const open = async (id) => enter(await elsewhere.open(id));
  const show = async (matches) => {
    part.hidden = false;
    for (const match of matches) {
      if (!items.has(match.id)) items.set(match.id, matchItem(open, complain));
      await items.get(match.id).update(match);
    }
    const elements = matches.map((match) => items.get(match.id).element);
    if (elements.some((element, i) => all.children[i] !== element)) all.replaceChildren(...elements);
  };
  follow(() => elsewhere.matches(), show, complain);
  return part;
}

/** The openings of the database from the shown position. */
export class Openings {
  constructor(token) {
    Object.assign(this, { token, isThere: elsewhere !== null, position: null, found: null });
  }

  /** Asks about the position of a view if it is another one; calls `draw` when the answer is there. */
  async look(view, draw) {
    if (!this.isThere || this.position === view.position) return;
    Object.assign(this, { position: view.position, found: null });
    if (view.turn >= OPENING_TURNS) return;
    const found = await elsewhere.opening(this.token, view.node);
    this.isThere = found !== null;
    if (this.position !== view.position) return;
    this.found = found;
    draw();
  }

  /** The table of openings, or null; `play(moves)` shows a move on the board. */
  table(view, play) {
    if (!this.found?.games || this.position !== view.position) return null;
    const wins = new Map((view.insight?.candidates ?? []).map(({ move, win }) => [move, win]));
    const row = (tried) => make(
      "tr", {},
      make("th", { scope: "row" }, moveButton(tried, () => play([tried]))),
      make("td", {}, String(tried.games)), make("td", {}, percent(tried.score)),
      make("td", {}, wins.get(tried.move) == null ? "–" : percent(wins.get(tried.move))),
    );
    const head = [words.move, words.gamesPlayed, words.scored, words.engine].map((name) => make("th", { scope: "col" }, name));
    return make("div", { class: "insight" }, make("p", {}, words.openings(this.found.games)), make("table", { class: "summary" }, make("tr", {}, ...head), ...this.found.moves.map(row)));
  }
}
