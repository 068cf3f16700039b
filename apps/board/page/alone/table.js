// The worker of a game: it stores games in this browser and runs the engine in another worker.

import load, { LocalGame, all_shapes, games_of_file, new_game, set_up } from "./site.js";
import { gameOf, isTemporary, newestGames, remove, save, saveNew } from "./storage.js";

const loaded = load();
const fail = (error) => postMessage({ failed: error.message ?? String(error) });
loaded.catch(fail);

/** A refusal is a text with its name on the first line. */
const NO_GAME = "no_game\nthere is no such game in this browser";
const parts = (refusal) => refusal.split("\n", 2);

let [local, token, timer, isStored] = [null, null, null, true];

// Windows with the same game tell each other about changes.
const others = new BroadcastChannel("board");
others.addEventListener("message", ({ data }) => data === token && enqueue(reopen));

const engine = new Worker(new URL("./engine.js", import.meta.url), { type: "module" });
engine.addEventListener("error", (event) => fail(new Error(event.message ?? "engine.js")));
engine.addEventListener("message", ({ data }) =>
  data.failed ? postMessage(data) : apply((now) => local.report(data.report, now)),
);

/** Runs actions one after the other, because storing a game takes a moment. */
let last = loaded;
const enqueue = (act) => (last = last.then(act).catch(fail));

/** Changes the game and handles the outcome. */
const apply = (act) => enqueue(() => follow(JSON.parse(act(Date.now()))));

/** Stores the game before it sends messages about it. */
async function follow(outcome) {
  clearTimeout(timer);
  if (outcome.game && !(await saveIfPossible(outcome.game))) {
    // Another window was faster; its change stands.
    await reopen();
    const asked = outcome.messages.filter(({ id }) => Number.isInteger(id));
    for (const { id } of asked)
      postMessage({ message: { type: "refused", id, error: "stale", text: "the game has changed meanwhile" } });
    return;
  }
  for (const message of outcome.messages) postMessage({ message });
  if (outcome.engine) engine.postMessage(JSON.stringify(outcome.engine));
  if (outcome.time !== null) timer = setTimeout(() => apply((now) => local.check_time(now)), outcome.time + 1);
}

/** Warns once that closing the page loses the game. It can still be played. */
function warn() {
  if (isStored)
    postMessage({
      message: { type: "refused", error: "not_kept", text: "the browser does not store this game" },
    });
  isStored = false;
}

async function saveIfPossible(game) {
  try {
    const isSaved = await save(token, game);
    if (isSaved) others.postMessage(token);
    return isSaved;
  } catch {
    warn();
    return true;
  }
}

async function open(wanted) {
  const game = await gameOf(wanted).catch(() => null);
  if (!game) throw NO_GAME;
  const insights = JSON.stringify(game.insights);
  if (wanted === token) local.replace(game.document, insights);
  else [local, token] = [new LocalGame(game.document, insights), wanted];
  await follow(JSON.parse(local.show(Date.now())));
  if (isTemporary(token)) warn();
}

/** Shows what another window has stored. Tells the page if it has deleted the game. */
async function reopen() {
  try {
    await open(token);
  } catch (error) {
    if (typeof error !== "string") throw error;
    postMessage({ gone: parts(error) });
  }
}

async function links(game) {
  const made = await saveNew(game);
  return [{ role: "host", token: made, isTemporary: isTemporary(made) }];
}

/** Names a game that is not open here. */
async function rename({ token: wanted, name }) {
  const game = await gameOf(wanted);
  if (!game) throw NO_GAME;
  const local = new LocalGame(game.document, JSON.stringify(game.insights));
  const action = { do: "label", node: 0, name };
  const outcome = JSON.parse(local.receive(JSON.stringify({ type: "act", id: 0, action, on: null }), Date.now()));
  if (!outcome.game || !(await save(wanted, outcome.game))) throw "stale\nthe game has changed meanwhile";
  others.postMessage(wanted);
}

async function discard(wanted) {
  await remove(wanted);
  others.postMessage(wanted);
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
  remove: discard,
  rename,
  import: (bytes) => Promise.all(JSON.parse(games_of_file(bytes)).map(links)),
  text: (kind) => local.text_of(kind),
  open,
};

addEventListener("message", ({ data: { message, id, what, value } }) => {
  if (message) {
    apply((now) => local.receive(message, now));
    return;
  }
  enqueue(async () => {
    try {
      postMessage({ id, answer: await answers[what](value) });
    } catch (error) {
      const refused = typeof error === "string" ? parts(error) : ["store", String(error)];
      postMessage({ id, refused });
    }
  });
});
