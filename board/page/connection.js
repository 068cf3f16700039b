// The service: requests, and a socket that comes back by itself.

/** The key of the address that the program printed; kept for this tab only, and taken out of the address. */
function takeKey() {
  const found = new URLSearchParams(location.hash.slice(1)).get("key");
  if (found) {
    sessionStorage.setItem("key", found);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem("key") ?? "";
}
const key = takeKey();

export class Refused extends Error {
  constructor(name, text) {
    super(text);
    this.refusal = name;
  }
}

/** Asks for something; the answer's JSON. */
async function ask(path, options = {}) {
  const headers = { "x-board-key": key, ...options.headers };
  const answer = await fetch(path, { ...options, headers });
  const json = await answer.json();
  if (!answer.ok) throw new Refused(json.error, json.text);
  return json;
}

/** The pieces as tables. */
export const allShapes = () => ask("/api/shapes");
/** The names of the programs of others that may play. */
export const allPrograms = () => ask("/api/programs").catch(() => []);
/** The games that were changed last. */
export const recentGames = () => ask("/api/games");
/** Makes a game; its links. */
export const createGame = (game) =>
  ask("/api/games", { method: "POST", body: JSON.stringify(game), headers: { "content-type": "application/json" } });
/** Makes games of a file; their links. */
export const importGames = async (file) => ask("/api/import", { method: "POST", body: await file.arrayBuffer() });
/** Games that are played or kept elsewhere; null where there cannot be any. What the service was told nothing of is null. */
export const elsewhere = {
  live: () => ask("/api/live"),
  matches: () => ask("/api/archive"),
  games: (id) => ask(`/api/archive/matches/${id}`),
  open: (id) => ask(`/api/archive/games/${id}`, { method: "POST" }),
  opening: (token, place) => ask(`/api/opening/${token}?place=${place}`),
};
/** The links of the game of a host's link. */
export const linksOf = (token) => ask(`/api/links/${token}`);
/** Where a game is as a file of some kind. */
export const fileOf = (token, kind) => `/api/save/${token}/${kind}`;
/** The link behind which this page is, if it is a game. */
export const linkOfPage = () => location.pathname.match(/^\/g\/([0-9a-f]+)$/)?.[1];
/** The address of the page behind a link. */
export const pageOf = (token) => `${location.origin}/g/${token}`;

/** A game behind a link. Calls `on.view`, `on.message` and `on.state(isConnected)`. */
export class Connection {
  constructor(token, on) {
    Object.assign(this, { token, on, next: 1, waiting: new Map(), version: null, place: null, delay: 250 });
    this.open();
  }

  open() {
    const since = this.version === null ? "" : `?since=${this.version}`;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/api/play/${this.token}${since}`);
    this.socket.addEventListener("open", () => {
      this.delay = 250;
      this.on.state(true);
      if (this.place !== null) this.look(this.place);
    });
    this.socket.addEventListener("message", (event) => this.receive(JSON.parse(event.data)));
    this.socket.addEventListener("close", () => {
      this.on.state(false);
      for (const { reject } of this.waiting.values()) reject(new Refused("connection", ""));
      this.waiting.clear();
      setTimeout(() => this.open(), this.delay);
      this.delay = Math.min(4000, this.delay * 2);
    });
  }

  receive(message) {
    const waiting = this.waiting.get(message.id);
    if (waiting) {
      this.waiting.delete(message.id);
      if (message.type === "refused") waiting.reject(new Refused(message.error, message.text));
      else waiting.resolve(message);
    } else if (message.type === "view") {
      this.version = message.view.version;
      this.on.view(message);
    } else {
      this.on.message(message);
    }
  }

  /** Sends something that is not answered by itself. */
  tell(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** Sends something and waits for its answer. */
  request(message) {
    if (this.socket.readyState !== WebSocket.OPEN) return Promise.reject(new Refused("connection", ""));
    const id = this.next++;
    this.socket.send(JSON.stringify({ ...message, id }));
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  act(action, on = null) {
    return this.request({ type: "act", action, on });
  }

  look(node) {
    this.place = node;
    this.tell({ type: "look", node });
  }
}
