// The games that this browser stores.

const promised = (request) =>
  new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error));
  });

let opened = null;

/** Opens a transaction on the games. Fails in browsers that store nothing. */
async function games(mode) {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("board", 1);
    request.addEventListener("upgradeneeded", () =>
      request.result.createObjectStore("games", { keyPath: "token" }).createIndex("changed", "changed"),
    );
    promised(request).then(resolve, reject);
  });
  return (await opened).transaction("games", mode).objectStore("games");
}

/** Games that the browser could not store; they live until the page is closed. */
const temporary = new Map();

/** Returns `true` if a game is lost when the page is closed. */
export const isTemporary = (token) => temporary.has(token);

const row = (token, game) => ({ ...game, token, changed: Date.now() / 1000 });

/** Returns the game with a token; nothing if there is none. */
export const gameOf = async (token) => temporary.get(token) ?? promised((await games("readonly")).get(token));

/** Stores a game again; returns `false` if another window has deleted it or has a newer one. */
export async function save(token, game) {
  if (isTemporary(token)) {
    temporary.set(token, row(token, game));
    return true;
  }
  const store = await games("readwrite");
  const known = await promised(store.get(token));
  if (!known || (known.changes >= game.changes && known.document !== game.document)) return false;
  await promised(store.put(row(token, game)));
  return true;
}

/** Stores a new game, or remembers it until the page is closed; returns its token. */
export async function saveNew(game) {
  const token = [...crypto.getRandomValues(new Uint8Array(8))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
  try {
    await promised((await games("readwrite")).add(row(token, game)));
  } catch {
    temporary.set(token, row(token, game));
  }
  return token;
}

/** Deletes a game. */
export async function remove(token) {
  if (!temporary.delete(token)) await promised((await games("readwrite")).delete(token));
}

/** Returns the games that were changed last, the last first, as lists show them. */
export async function newestGames(limit) {
  const cursor = (await games("readonly")).index("changed").openCursor(null, "prev");
  const found = [];
  return new Promise((resolve, reject) => {
    cursor.addEventListener("error", () => reject(cursor.error));
    cursor.addEventListener("success", () => {
      const at = cursor.result;
      if (!at || found.length === limit) {
        resolve(found);
        return;
      }
      found.push({ token: at.value.token, changed: at.value.changed, ...at.value.summary });
      at.continue();
    });
  });
}
