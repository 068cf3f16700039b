// Without a service: this browser stores the games, and a worker plays them. Exports the same as the other
// `connection.js`.

import { Refused, GameChannel, once } from "./channel.js";
import { words } from "./words.js";

export const isStandalone = true;
export const canStart = true;
export const home = "./";
export const speedPage = "./speed.html";

// A link with a game that is opened on this page changes only the fragment.
addEventListener("hashchange", () => location.reload());
// Without HTTPS a browser may have no service workers; then the site needs the network.
navigator.serviceWorker?.register("./sw.js").catch(() => {});

const worker = new Worker(new URL("./table.js", import.meta.url), { type: "module" });
const waiting = new Map();
let [next, game, failure] = [1, null, null];

/** Reports a fatal error and rejects all requests. */
function fail(why) {
  failure ??= words.noEngine(why);
  for (const { reject } of waiting.values()) reject(new Refused("unloadable", failure));
  waiting.clear();
  game?.disconnected(failure);
}

worker.addEventListener("error", (event) => fail(event.message ?? "table.js"));
worker.addEventListener("message", ({ data }) => {
  if (data.failed) fail(data.failed);
  else if (data.message) game?.receive(data.message);
  else if (data.gone) {
    game?.on.refused(new Refused(...data.gone));
    game = null;
  } else {
    const { resolve, reject } = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.refused) reject(new Refused(...data.refused));
    else resolve(data.answer);
  }
});

/** Asks the worker for something. */
function ask(what, value = null) {
  if (failure) return Promise.reject(new Refused("unloadable", failure));
  const id = next++;
  worker.postMessage({ id, what, value });
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

export const allShapes = () => ask("shapes");
export const allPrograms = async () => [];
export const recentGames = (limit = 50) => ask("recent", limit);
export const createGame = once((wanted) => ask("create", wanted));
export const setUp = (asked) => ask("setup", asked);
export const renameGame = (token, name) => ask("rename", { token, name });
export const deleteGame = (token) => ask("remove", token);
export const importGames = (bytes) => ask("import", new Uint8Array(bytes));
export const externalGames = null;
export const linksOf = async () => [];
export const textOf = (_, kind) => ask("text", kind);
export function linkOfPage() {
  const link = new URLSearchParams(location.search).get("game");
  return link && (link.match(/[0-9a-f]{16}/i)?.[0].toLowerCase() ?? "");
}
export const pageOf = (token) => `${new URL("./", import.meta.url)}?game=${token}`;

export class Connection extends GameChannel {
  constructor(token, on) {
    super(on);
    game = this;
    ask("open", token).then(
      () => on.state(true),
      (error) => {
        game = null;
        on.refused(error);
      },
    );
  }

  send(message) {
    if (!failure) worker.postMessage({ message: JSON.stringify(message) });
    return !failure;
  }
}
