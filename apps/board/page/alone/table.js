// The worker of a game: it stores games in this browser and runs the engine in another worker.

import load, { Table, all_shapes, games_of_file, new_game, set_up } from "./site.js";
import { gameOf, isHeld, keep, keepNew, newestGames, remove } from "./keeper.js";

const loaded = load();
const fail = (error) => postMessage({ failed: error.message ?? String(error) });
loaded.catch(fail);

let [table, token, timer, isKept] = [null, null, null, true];

// Windows with the same game tell each other about changes.
const others = new BroadcastChannel("board");
others.addEventListener("message", ({ data }) => data === token && inTurn(() => open(token)));

const engine = new Worker(new URL("./engine.js", import.meta.url), { type: "module" });
engine.addEventListener("error", (event) => fail(new Error(event.message ?? "engine.js")));
engine.addEventListener("message", ({ data }) =>
  data.failed ? postMessage(data) : happen((now) => table.report(data.told, now)),
);

/** Runs actions one after the other, because storing a game takes a moment. */
let last = loaded;
const inTurn = (act) => (last = last.then(act).catch(fail));

/** Changes the game and handles the outcome. */
const happen = (act) => inTurn(() => follow(JSON.parse(act(Date.now()))));

/** Stores the game before it sends messages about it. */
async function follow(outcome) {
  clearTimeout(timer);
  if (outcome.keep && !(await keepIfPossible(outcome.keep))) {
    // Another window was faster; its change stands.
    await open(token);
    const asked = outcome.say.filter(({ id }) => Number.isInteger(id));
    for (const { id } of asked)
      postMessage({ say: { type: "refused", id, error: "stale", text: "the game has changed meanwhile" } });
    return;
  }
  for (const say of outcome.say) postMessage({ say });
  if (outcome.engine) engine.postMessage(JSON.stringify(outcome.engine));
  if (outcome.time !== null) timer = setTimeout(() => happen((now) => table.check_time(now)), outcome.time + 1);
}

/** Warns once that closing the page loses the game. It can still be played. */
function warn() {
  if (isKept) postMessage({ say: { type: "refused", error: "not_kept", text: "the browser keeps nothing" } });
  isKept = false;
}

async function keepIfPossible(game) {
  try {
    const isKeptHere = await keep(token, game);
    if (isKeptHere) others.postMessage(token);
    return isKeptHere;
  } catch {
    warn();
    return true;
  }
}

async function open(wanted) {
  const game = await gameOf(wanted).catch(() => null);
  if (!game) throw "no_game\nthere is no such game in this browser";
  const insights = JSON.stringify(game.insights);
  if (wanted === token) table.replace(game.document, insights);
  else [table, token] = [new Table(game.document, insights), wanted];
  await follow(JSON.parse(table.show(Date.now())));
  if (isHeld(token)) warn();
}

async function links(game) {
  const made = await keepNew(game);
  return [{ role: "host", token: made, isHeld: isHeld(made) }];
}

/** Names a game that is not open here. */
async function rename({ token: wanted, name }) {
  const game = await gameOf(wanted);
  const table = new Table(game.document, JSON.stringify(game.insights));
  const action = { do: "label", node: 0, name };
  const outcome = JSON.parse(table.hear(JSON.stringify({ type: "act", id: 0, action, on: null }), Date.now()));
  if (!outcome.keep || !(await keep(wanted, outcome.keep))) throw "stale\nthe game has changed meanwhile";
}

async function recent(limit) {
  try {
    return await newestGames(limit);
  } catch (error) {
    throw `forgetful\n${error}`;
  }
}

/** Answers to requests of the page. */
const answers = {
  shapes: () => JSON.parse(all_shapes()),
  recent,
  create: (wanted) => links(JSON.parse(new_game(JSON.stringify(wanted)))),
  setup: (asked) => JSON.parse(set_up(JSON.stringify(asked))),
  remove,
  rename,
  import: (bytes) => Promise.all(JSON.parse(games_of_file(bytes)).map(links)),
  text: (kind) => table.text_of(kind),
  open,
};

addEventListener("message", ({ data: { say, id, what, value } }) => {
  if (say) {
    happen((now) => table.hear(say, now));
    return;
  }
  inTurn(async () => {
    try {
      postMessage({ id, answer: await answers[what](value) });
    } catch (error) {
      // A refusal is a text with its name on the first line.
      const refused = typeof error === "string" ? error.split("\n", 2) : ["store", String(error)];
      postMessage({ id, refused });
    }
  });
});
