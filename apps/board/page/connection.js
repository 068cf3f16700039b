// The service: requests, and a socket that reconnects.

import { Refused, GameChannel, once } from "./channel.js";
import { words } from "./words.js";

/** `true` if there is no service. */
export const isStandalone = false;
/** The addresses of the first page and, without a service, of the speed page. */
export const home = "/";
export const speedPage = null;

/** Takes the key out of the address that the program printed. Keeps it for this tab only. */
function takeKey() {
  const found = new URLSearchParams(location.hash.slice(1)).get("key");
  try {
    if (found) {
      sessionStorage.setItem("key", found);
      history.replaceState(null, "", location.pathname + location.search);
    }
    return sessionStorage.getItem("key") ?? "";
  } catch {
    // Without storage, it stays in the address.
    return found ?? "";
  }
}
const key = takeKey();
/** `true` if this page may start games; guests have no key. */
export const canStart = key !== "";
// Adding the key to the address reloads the page.
addEventListener("hashchange", () => location.reload());

/** Sends a request and returns the answer. Errors of browsers and of other servers are not shown. */
async function answerTo(path, options = {}) {
  const none = (error) => {
    throw new Refused("no_service", String(error));
  };
  const headers = { "x-board-key": key, ...options.headers };
  const answer = await fetch(path, { ...options, headers }).catch(none);
  if (answer.ok) return answer;
  const { error, text } = await answer.json().catch(none);
  throw new Refused(error, text);
}

const ask = async (path, options) => (await answerTo(path, options)).json();

/** Sends a value as JSON. */
const sendJson = (method, path, value) =>
  ask(path, { method, body: JSON.stringify(value), headers: { "content-type": "application/json" } });

/** Returns the pieces as tables. */
export const allShapes = () => ask("/api/shapes");
/** Returns the names of the external programs. */
export const allPrograms = () => ask("/api/programs");
/** Returns the games that were changed last. */
export const recentGames = (limit = 50) => ask(`/api/games?limit=${limit}`);
/** Creates a game. Returns its links. */
export const createGame = once((game) => sendJson("POST", "/api/games", game));
/** Returns the view of a position being set up, and the rule that forbids a placement in it. */
export const setUp = (asked) => sendJson("POST", "/api/setup", asked);
/** Names a game of the list. */
export const renameGame = (token, name) => sendJson("PUT", `/api/games/${token}`, name);
/** Deletes a game of the list. */
export const deleteGame = (token) => ask(`/api/games/${token}`, { method: "DELETE" });
/** Imports the games of a file. Returns their links. */
export const importGames = (bytes) => ask("/api/import", { method: "POST", body: bytes });
/** Games of the arena and of game servers; answers are null if the service has none. */
export const externalGames = {
  live: () => ask("/api/live"),
  running: () => ask("/api/running"),
  openRunning: (id) => ask(`/api/running/${id}`, { method: "POST" }),
  matches: () => ask("/api/archive"),
  games: (id) => ask(`/api/archive/matches/${id}`),
  open: (id) => ask(`/api/archive/games/${id}`, { method: "POST" }),
  league: () => ask("/api/league"),
  leagueGames: (id) => ask(`/api/league/${id}`),
  teams: () => ask("/api/teams"),
  addTeam: (name) => sendJson("POST", "/api/teams", name),
  team: (token) => ask(`/api/upload/${token}`),
  upload: (token, file) => ask(`/api/upload/${token}`, { method: "PUT", body: file }),
};
/** Returns the links of the game of a host's link. */
export const linksOf = (token) => ask(`/api/links/${token}`);
/** Returns a game as text in a file format. */
export const textOf = async (token, kind) => (await answerTo(`/api/save/${token}/${kind}`)).text();
/** Returns the link in the address of this page; "" if there is none, null on the first page. */
export function linkOfPage() {
  if (["/", "/page/index.html"].includes(location.pathname)) return null;
  return (
    location.pathname
      .replaceAll(/%../g, " ")
      .match(/(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])/i)?.[0]
      .toLowerCase() ?? ""
  );
}
/** Returns the address of the page behind a link. */
export const pageOf = (token) => `${location.origin}/g/${token}`;

/** A game behind a link. */
export class Connection extends GameChannel {
  constructor(token, on) {
    super(on);
    Object.assign(this, { token, delay: 250 });
    this.open();
  }

  open() {
    const query = this.node === null ? "" : `?node=${this.node}`;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/api/play/${this.token}${query}`);
    // A view, or a refusal, after which retrying is useless.
    let first = null;
    this.socket.addEventListener("open", () => {
      this.delay = 250;
      this.on.state(true);
    });
    this.socket.addEventListener("message", (event) => {
      const message = JSON.parse(event.data);
      first ??= message;
      if (first.type === "refused") this.on.refused(new Refused(first.error, first.text));
      else this.receive(message);
    });
    this.socket.addEventListener("close", () => {
      if (first?.type === "refused") return;
      this.disconnected(words.noConnection);
      setTimeout(() => this.open(), this.delay);
      this.delay = Math.min(4000, this.delay * 2);
    });
  }

  send(message) {
    const isOpen = this.socket.readyState === WebSocket.OPEN;
    if (isOpen) this.socket.send(JSON.stringify(message));
    return isOpen;
  }
}
