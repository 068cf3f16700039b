// Games from elsewhere: of a game server, and of the database of the arena.

import { externalGames, pageOf } from "./connection.js";
import { button, make } from "./dom.js";
import { words } from "./words.js";

/** Interval between two requests, in milliseconds. */
export const REFRESH = 2000;

/** Polls and shows every answer until one is null. Reports an error once. */
function follow(ask, show, showError) {
  let failed = false;
  const again = async () => {
    try {
      const answer = await ask();
      if (answer === null) return;
      await show(answer);
      failed = false;
    } catch (error) {
      if (!failed) showError(error);
      failed = true;
    }
    setTimeout(again, REFRESH);
  };
  if (externalGames) again();
}

/** Creates a list of games in progress: `ask()` answers with `{ games, error }`, `entry(game)` creates the element that opens one. */
function gamesInProgress(title, ask, entry, isShown, showError) {
  const all = make("ul", { class: "recent" });
  const part = make("section", { hidden: true }, make("h2", {}, title), all);
  let shown = null;
  const show = (answer) => {
    const { games, error } = answer;
    part.hidden = !isShown(games);
    if (JSON.stringify(answer) === shown) return;
    shown = JSON.stringify(answer);
    const items = games.map((game) => make("li", {}, entry(game), make("small", {}, words.afterMoves(game.moves))));
    all.replaceChildren(...(items.length ? items : [make("li", {}, error ? words.noServer(error) : words.noGames)]));
  };
  follow(ask, show, showError);
  return part;
}

/** Creates the list of games in progress at a game server. */
export function liveList(showError) {
  const title = (names, room) =>
    names.some(Boolean) ? names.map((name, i) => name || words[["ONE", "TWO"][i]]).join(" – ") : room;
  const entry = ({ token, room, names }) => make("a", { href: pageOf(token) }, title(names, room));
  const ask = () => externalGames.live();
  return gamesInProgress(words.liveGames, ask, entry, () => true, showError);
}

/** Creates the list of games that the arena is playing; `enter(links)` goes to a game. */
export function runningList(enter, showError) {
  const open = async (id) => enter(await externalGames.openRunning(id));
  const entry = ({ id, names }) => button(names.join(" – "), () => open(id).catch(showError), "file");
  const ask = async () => {
    const games = await externalGames.running();
    return games && { games };
  };
  return gamesInProgress(words.running, ask, entry, (games) => games.length, showError);
}

/** Creates the item of a match that shows its games when it is opened; `update(match)` shows it as it is now, `open(id)` opens a game. */
function matchItem(open, showError) {
  const title = make("summary");
  const games = make("ul", { class: "recent" });
  let [now, shown] = [null, -1];
  const details = make("details", { ontoggle: () => list().catch(showError) }, title, games);
  const line = (game) => {
    const [one, two] = game.names.map((name, team) => `${name} ${game.points[team]}`);
    return make(
      "li",
      {},
      button(`${game.id}`, () => open(game.id).catch(showError), "file"),
      ` ${one} – ${two}`,
    );
  };
  const list = async () => {
    if (!details.open || now.games === shown) return;
    shown = now.games;
    games.replaceChildren(...(await externalGames.games(now.id)).map(line));
  };
  const update = async (match) => {
    now = match;
    title.textContent = `${match.names.join(" – ")} (${words[match.rules]}): ${words.matchState(match.games, match.points)}`;
    await list();
  };
  return { element: make("li", {}, details), update };
}

/** Creates the list of matches in the database of the arena; `enter(links)` goes to a game. */
export function matchList(enter, showError) {
  const items = new Map();
  const all = make("ul", { class: "recent" });
  const part = make("section", { hidden: true }, make("h2", {}, words.matches), all);
  const open = async (id) => enter(await externalGames.open(id));
  const show = async (matches) => {
    part.hidden = false;
    for (const match of matches) {
      if (!items.has(match.id)) items.set(match.id, matchItem(open, showError));
      await items.get(match.id).update(match);
    }
    const elements = matches.map((match) => items.get(match.id).element);
    if (elements.some((element, i) => all.children[i] !== element)) all.replaceChildren(...elements);
  };
  follow(() => externalGames.matches(), show, showError);
  return part;
}
