// The first page: a new game, a file, or a game of before.

import { allPrograms, createGame, importGames, isAlone, pageOf, recentGames, speedPage } from "./connection.js";
import { make } from "./dom.js";
import { liveList, matchList, runningList } from "./elsewhere.js";
import { Settings } from "./settings.js";
import { Refused } from "./talk.js";
import { nameOf, refusal, words } from "./words.js";

/** The largest file that is opened, in bytes; the service takes no larger one. */
const LARGEST_FILE = 8 << 20;

const field = (text, input) => make("label", {}, make("span", {}, text), input);

/** A list from which one chooses one. */
const list = (name, options, chosen) =>
  make("select", { name }, ...options.map(([value, text]) => make("option", { value, selected: value === chosen }, text)));

/** Buttons of which one is pressed. */
const choice = (name, text, options, chosen) => make(
  "fieldset", {}, make("legend", {}, text),
  make("div", { class: "choice" }, ...options.map(([value, label]) =>
    make("label", {}, make("input", { type: "radio", name, value, checked: value === chosen }), make("span", {}, label)))),
);

/** Makes games of a file and goes to the first; `enter(links)` goes to a game. */
export async function importFile(file, enter) {
  if (file.size > LARGEST_FILE) throw new Refused("too_large", file.name);
  const bytes = await file.arrayBuffer().catch(() => {
    throw new Refused("unreadable", file.name);
  });
  enter((await importGames(bytes))[0]);
}

/** Who plays which colour. */
function seats(opponent, team) {
  const person = { kind: "person" };
  const other = /^\d$/.test(opponent) ? { kind: "level", level: Number(opponent) }
    : opponent.startsWith("program ") ? { kind: "program", name: opponent.slice(8) } : { kind: opponent };
  if (other.kind === "person") return [person, person, person, person];
  if (team === "watch" && other.kind !== "guest") return [other, other, other, other];
  return team === "TWO" ? [other, person, other, person] : [person, other, person, other];
}

function control(name) {
  const [kind, number] = name.split(" ");
  if (kind === "game") return { kind, main: Number(number) * 60_000, increment: 0 };
  return kind === "move" ? { kind, limit: Number(number) * 1000 } : { kind: "none" };
}

/** A game of before in a list: who played, how it stands, and when it was played last. */
function recentGame(game) {
  const time = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  const when = time.format(new Date(game.changed * 1000));
  // A game that cannot be read has a link all the same, which says why.
  if (!game.seats) return make("li", {}, make("a", { href: pageOf(game.token) }, when));
  const team = (i) => nameOf(game.names[i], [game.seats[i], game.seats[i + 2]]) || words.human;
  const result = { drawn: words.draw, unfinished: words.afterMoves(game.moves) }[game.result] ?? words.won(words[game.result]);
  return make(
    "li", {}, make("a", { href: pageOf(game.token) }, `${team(0)} – ${team(1)}`), make("b", {}, game.points.join(" : ")),
    make("small", {}, [words[game.rules], result, when].join(" · ")),
  );
}

export async function startPage(main, shapes, enter, complain) {
  const kept = new Settings("newGame", { rules: "2027", opponent: "3", team: "ONE", piece: "", control: "none 0" });
  const pentominoes = shapes.pieces.filter((piece) => piece.size === 5).map((piece) => [piece.name, piece.name]);
  const levels = Array.from({ length: 9 }, (_, i) => [String(i + 1), String(i + 1)]);
  const programs = (await allPrograms()).map((name) => [`program ${name}`, name]);
  const others = [...programs, ["person", words.people], ...(isAlone ? [] : [["guest", words.guest]])];
  if (![...levels, ...others].some(([value]) => value === kept.opponent)) kept.opponent = "3";
  const submit = async (event) => {
    event.preventDefault();
    const form = new FormData(event.target);
    for (const name of ["rules", "opponent", "team", "piece", "control"]) kept.set(name, form.get(name));
    const game = { rules: kept.rules, seats: seats(kept.opponent, kept.team), control: control(kept.control) };
    if (kept.piece && kept.rules !== "classic") game.start_piece = kept.piece;
    if (form.get("position").trim()) game.position = form.get("position");
    try {
      enter(await createGame(game));
    } catch (error) {
      complain(error);
    }
  };
  const file = make("input", {
    type: "file", accept: ".xml,.gz,.blksgf,.jsonl,.txt", class: "hidden",
    onchange: (event) => event.target.files[0] && importFile(event.target.files[0], enter).catch(complain),
  });
  const recent = make("ul", { class: "recent" });
  main.replaceChildren(make(
    "div", { class: "start" },
    make(
      "form", { class: "card", onsubmit: submit },
      make("h1", {}, words.newGame),
      choice("opponent", words.levels, levels, kept.opponent),
      make("small", {}, words.easiest),
      choice("opponent", words.others, others, kept.opponent),
      choice("team", words.me, [["ONE", words.ONE], ["TWO", words.TWO], ["watch", words.watch]], kept.team),
      choice("rules", words.rules, [["2027", words["2027"]], ["2021", words["2021"]], ["classic", words.classic]], kept.rules),
      make(
        "details", {}, make("summary", {}, words.more),
        field(words.startPiece, list("piece", [["", words.drawn], ...pentominoes], kept.piece)),
        field(words.clock, list("control", [
          ["none 0", words.noClock], ...[5, 10, 20].map((n) => [`game ${n}`, words.minutes(n)]), ...[2, 30].map((n) => [`move ${n}`, words.seconds(n)]),
        ], kept.control)),
        field(words.position, make("input", { name: "position", autocomplete: "off", spellcheck: "false" })),
      ),
      make("button", { class: "main large", type: "submit" }, words.start),
    ),
    make(
      "section", { class: "card" }, make("h1", {}, words.open),
      make("label", { class: "drop" }, make("strong", {}, words.chooseFile), make("span", {}, words.openHint), file),
      isAlone ? make("p", { class: "help" }, words.alone, " ", make("a", { href: speedPage }, words.speed)) : null,
      make("h2", {}, words.recent), recent, liveList(complain), runningList(enter, complain), matchList(enter, complain),
    ),
  ));
  try {
    const games = await recentGames();
    recent.replaceChildren(...(games.length ? games.map(recentGame) : [make("li", {}, words.noGames)]));
  } catch (error) {
    recent.replaceChildren(make("li", {}, refusal(error.refusal, error.message)));
  }
}
