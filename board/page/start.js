// The first page: a new game, a file, or a game of before.

import { make } from "./dom.js";
import { ask, askJson } from "./connection.js";
import { words } from "./words.js";

const choice = (name, options, chosen) =>
  make("select", { name }, ...options.map(([value, text]) => make("option", { value, selected: value === chosen }, text)));

const field = (text, input) => make("label", {}, make("span", {}, text), input);

/** Goes to the game that is in a list of links as its host. */
export function enter(links) {
  location.assign(`/g/${links.find((link) => link.role === "host").token}`);
}

/** Makes games of a file and goes to the first. */
export async function importFile(file) {
  const games = await ask("/api/import", { method: "POST", body: await file.arrayBuffer() });
  enter(games[0]);
}

function seats(opponent, team) {
  const level = { kind: "level", level: Number(opponent) };
  const person = { kind: "person" };
  if (opponent.startsWith("program ")) Object.assign(level, { kind: "program", name: opponent.slice(8), level: undefined });
  if (opponent === "people") return [person, person, person, person];
  const other = opponent === "guest" ? { kind: "guest" } : level;
  if (team === "watch") return [level, level, level, level];
  return team === "ONE" ? [person, other, person, other] : [other, person, other, person];
}

function control(name) {
  const [kind, number] = name.split(" ");
  if (kind === "game") return { kind, main: Number(number) * 60_000, increment: 0 };
  return kind === "move" ? { kind, limit: Number(number) * 1000 } : { kind: "none" };
}

export async function startPage(main, shapes, complain) {
  const pentominoes = shapes.pieces.filter((piece) => piece.size === 5).map((piece) => [piece.name, piece.name]);
  const levels = Array.from({ length: 9 }, (_, i) => [String(i + 1), words.level(i + 1)]);
  const programs = await ask("/api/programs").catch(() => []);
  const submit = async (event) => {
    event.preventDefault();
    const form = new FormData(event.target);
    const opponent = form.get("opponent");
    const isWatching = form.get("team") === "watch" && !["people", "guest"].includes(opponent);
    const game = {
      rules: form.get("rules"),
      seats: seats(opponent, isWatching ? "watch" : form.get("team") === "TWO" ? "TWO" : "ONE"),
      control: control(form.get("control")),
    };
    if (form.get("piece") && game.rules !== "classic") game.start_piece = form.get("piece");
    if (form.get("position").trim()) game.position = form.get("position");
    try {
      enter(await askJson("/api/games", game));
    } catch (error) {
      complain(error);
    }
  };
  const file = make("input", {
    type: "file", accept: ".xml,.gz,.blksgf,.jsonl,.txt",
    onchange: (event) => event.target.files[0] && importFile(event.target.files[0]).catch(complain),
  });
  const list = make("ul", { class: "recent" });
  main.replaceChildren(make(
    "div", { class: "start" },
    make(
      "form", { class: "card", onsubmit: submit },
      make("h2", {}, words.newGame),
      field(words.rules, choice("rules", [["2027", words["2027"]], ["2021", words["2021"]], ["classic", words.classic]], "2027")),
      field(words.opponent, choice("opponent", [...levels, ...programs.map((name) => [`program ${name}`, name]), ["people", words.people], ["guest", words.guest]], "3")),
      field(words.playAs, choice("team", [["ONE", words.ONE], ["TWO", words.TWO], ["watch", words.watch]], "ONE")),
      field(words.startPiece, choice("piece", [["", words.drawn], ...pentominoes], "")),
      field(words.clock, choice("control", [
        ["none 0", words.noClock], ...[5, 10, 20].map((n) => [`game ${n}`, words.minutes(n)]), ...[2, 30].map((n) => [`move ${n}`, words.seconds(n)]),
      ], "none 0")),
      field(words.position, make("input", { name: "position", autocomplete: "off", spellcheck: "false" })),
      make("button", { class: "main", type: "submit" }, words.start),
    ),
    make("section", { class: "card" }, make("h2", {}, words.open), file, make("p", {}, words.openHint), make("h2", {}, words.recent), list),
  ));
  try {
    const games = await ask("/api/games");
    const time = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
    const link = (game) => make("li", {}, make("a", { href: `/g/${game.token}` }, time.format(new Date(game.changed * 1000))));
    list.replaceChildren(...(games.length ? games.map(link) : [make("li", {}, words.noGames)]));
  } catch (error) {
    complain(error);
  }
}
