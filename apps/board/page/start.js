// The first page: a new game, a file, or an earlier game.

import {
  allPrograms,
  createGame,
  deleteGame,
  importGames,
  isStandalone,
  pageOf,
  recentGames,
  renameGame,
  speedPage,
} from "./connection.js";
import { COLORS } from "./board.js";
import { askGame, ownName } from "./dialogs.js";
import { button, make } from "./dom.js";
import { liveList, matchList, runningList } from "./elsewhere.js";
import { showRules } from "./howto.js";
import { hasRecord, levelRecord } from "./record.js";
import { Settings, keep } from "./settings.js";
import { SetupPage } from "./setup.js";
import { Refused } from "./channel.js";
import { nameOf, pieceName, refusal, words } from "./words.js";

/** Maximum size of an opened file in bytes; the service takes no larger one. */
const MAX_FILE = 8 << 20;

/** The opponent of the first game: the lowest level. */
const DEFAULT_OPPONENT = "1";

const field = (text, input) => make("label", {}, make("span", {}, text), input);

const list = (name, options, chosen) =>
  make(
    "select",
    { name, "aria-label": words[name] ?? null },
    ...options.map(([value, text]) => make("option", { value, selected: value === chosen }, text)),
  );

const radio = (name, value, chosen, ...content) =>
  make(
    "label",
    {},
    make("input", { type: "radio", name, value, checked: value === chosen }),
    make("span", {}, ...content),
  );

/** Creates a group of radio buttons. */
const choice = (name, text, options, chosen) =>
  make(
    "fieldset",
    {},
    make("legend", {}, text),
    make("div", { class: "choice" }, ...options.map(([value, label]) => radio(name, value, chosen, label))),
  );

/** Imports files and goes to their first game; `enter(links)` goes to a game, `refused(name, reason)` returns the error text. */
export async function importFiles(files, enter, refused = words.fileRefused) {
  const games = [];
  for (const file of files) games.push(...(await importFile(file, refused)));
  if (games.length) enter(games[0], `#games=${games.length}`);
}

/** Imports a file and returns the links of its games. */
async function importFile(file, refused) {
  if (file.size > MAX_FILE) throw new Refused("too_large", file.name);
  const bytes = await file.arrayBuffer().catch(() => {
    throw new Refused("unreadable", file.name);
  });
  return importGames(bytes).catch((error) => {
    throw error.refusal === "file" ? new Refused("file", refused(file.name, error.message)) : error;
  });
}

/** Returns the seat of an opponent. */
const seatOf = (opponent) =>
  /^\d$/.test(opponent)
    ? { kind: "level", level: Number(opponent) }
    : opponent.startsWith("program ")
      ? { kind: "program", name: opponent.slice(8) }
      : { kind: opponent };

/** Returns the seats of the colours, blue first. */
function seats({ opponent, team, first, second }) {
  const person = { kind: "person" };
  if (opponent === "person") return [person, person, person, person];
  const [one, two] =
    opponent === "watch"
      ? [seatOf(first), seatOf(second)]
      : team === "TWO"
        ? [seatOf(opponent), person]
        : [person, seatOf(opponent)];
  return [one, two, one, two];
}

function control(name) {
  const [kind, number] = name.split(" ");
  if (kind === "game") return { kind, main: Number(number) * 60_000, increment: 0 };
  return kind === "move" ? { kind, limit: Number(number) * 1000 } : { kind: "none" };
}

/** Draws an earlier game in a list: its name, the players, the score, and the time of the last move. `edit(game, title)` opens its menu. */
function recentGame(game, edit) {
  const time = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "short", timeStyle: "short" });
  const when = time.format(new Date(game.changed * 1000)).replaceAll(" ", "\u00A0");
  // The link of an unreadable game leads to the reason.
  const menu = (title) =>
    button("⋯", () => edit(game, title), "edit", {
      title: words.editGame,
      "aria-label": `${words.editGame}: ${title}`,
    });
  if (!game.seats) return make("li", {}, make("a", { href: pageOf(game.token) }, when), menu(when));
  // Games from files have persons on all seats.
  const allPersons = game.seats.every(({ kind }) => kind === "person");
  const viewer = { role: "host", allPersons, colors: ["", ""] };
  const hasTeams = game.rules !== "classic-4";
  const team = (i) => nameOf(game.names[i], [game.seats[i], game.seats[i + 2]], viewer) || words[["ONE", "TWO"][i]];
  const color = (name, i) => nameOf("", [game.seats[i]], viewer) || words[name];
  const own = [0, 1].filter((i) => [game.seats[i], game.seats[i + 2]].every(({ kind }) => kind === "person"));
  const won = () => {
    if (!hasTeams || own.length !== 1) return words.won(words[game.result]);
    return game.result === ["ONE", "TWO"][own[0]] ? words.youWon("") : words.youLost("");
  };
  const result = { drawn: words.draw, unfinished: words.afterMoves(game.moves) }[game.result] ?? won();
  const players = (hasTeams ? [0, 1].map(team) : COLORS.map(color)).join(" – ");
  return make(
    "li",
    {},
    make("a", { href: pageOf(game.token) }, game.name || players),
    make("b", {}, game.points.join(" : ")),
    menu(game.name || players),
    make("small", {}, [...(game.name ? [players] : []), words[game.rules], result, when].join(" · ")),
  );
}

/** Creates the list of earlier games with a filter, and the results against the levels. */
function recentList(showError) {
  const record = levelRecord(showError);
  const list = make("ul", { class: "recent" });
  const filter = make("input", {
    type: "search",
    class: "filter",
    placeholder: words.filterGames,
    "aria-label": words.filterGames,
    oninput: () => select(),
  });
  const none = make("p", { class: "help", role: "status" });
  const select = () => {
    const wanted = filter.value.trim().toLowerCase();
    for (const line of list.children) line.hidden = !line.textContent.toLowerCase().includes(wanted);
    none.textContent = wanted && [...list.children].every((line) => line.hidden) ? words.noMatch : "";
  };
  const edit = async (game, title) => {
    const wanted = await askGame(game, title);
    if (!wanted) return;
    try {
      await (wanted.isDeleted ? deleteGame(game.token) : renameGame(game.token, wanted.name));
      await load();
    } catch (error) {
      showError(error);
    }
  };
  const load = async () => {
    try {
      const games = await recentGames();
      filter.hidden = !games.length;
      list.replaceChildren(
        ...(games.length ? games.map((game) => recentGame(game, edit)) : [make("li", {}, words.noGames)]),
      );
      select();
      record.hidden = !(await hasRecord(games));
    } catch (error) {
      list.replaceChildren(make("li", {}, refusal(error.refusal, error.message)));
    }
  };
  return { elements: [filter, none, list, record], load };
}

export async function startPage(main, shapes, enter, say) {
  const showError = (error) => say(refusal(error.refusal, error.message));
  const kept = new Settings("newGame", {
    rules: "2027",
    opponent: DEFAULT_OPPONENT,
    first: "3",
    second: "5",
    team: "ONE",
    piece: "",
    control: "none 0",
  });
  const pentominoes = shapes.pieces
    .filter((piece) => piece.size === 5)
    .map((piece) => [piece.name, pieceName(piece.name)]);
  const levels = words.levelLines.map((line, i) => [String(i + 1), line]);
  const programs = (await allPrograms()).map((name) => [`program ${name}`, name]);
  const others = [
    ["person", words.people],
    ...(isStandalone ? [] : [["guest", words.guest]]),
    ["watch", words.watch],
    ...programs,
  ];
  const players = [...levels.map(([value]) => [value, words.level(value)]), ...programs];
  if (![...levels, ...others].some(([value]) => value === kept.opponent)) kept.opponent = DEFAULT_OPPONENT;
  const submit = async (event) => {
    event.preventDefault();
    const form = new FormData(event.target);
    for (const name of ["rules", "opponent", "first", "second", "team", "piece", "control"])
      kept.set(name, form.get(name));
    const name = form.get("name").trim() || words.defaultName;
    keep("name", name);
    const [mine, theirs] = ["person", "watch"].includes(kept.opponent) ? ["", ""] : [name, ""];
    const game = {
      rules: kept.rules,
      seats: seats(kept),
      control: control(kept.control),
      names: kept.team === "TWO" ? [theirs, mine] : [mine, theirs],
    };
    if (kept.piece && !kept.rules.startsWith("classic")) game.start_piece = kept.piece;
    if (form.get("position").trim()) game.position = form.get("position");
    try {
      enter(await createGame(game), kept.opponent === "guest" ? "#invite" : "");
    } catch (error) {
      showError(error);
    }
  };
  const watched = make(
    "div",
    { class: "row watched", hidden: true },
    field(words.first, list("first", players, kept.first)),
    field(words.second, list("second", players, kept.second)),
  );
  // The field of the name: above the button for a game with a guest, else among the options.
  const name = field(
    words.yourName,
    make("input", { name: "name", maxlength: 40, value: ownName(), autocomplete: "nickname" }),
  );
  const invited = make("div", { class: "row watched", hidden: true });
  const options = make("div");
  const team = choice(
    "team",
    words.me,
    [
      ["ONE", words.ONE],
      ["TWO", words.TWO],
    ],
    kept.team,
  );
  const startPiece = field(words.startPiece, list("piece", [["", words.drawn], ...pentominoes], kept.piece));
  const arrange = ({ opponent, rules }) => {
    watched.hidden = opponent !== "watch";
    invited.hidden = opponent !== "guest";
    team.hidden = name.hidden = ["person", "watch"].includes(opponent);
    startPiece.hidden = rules.startsWith("classic");
    (invited.hidden ? options : invited).append(name);
  };
  arrange(kept);
  const position = make("input", { name: "position", autocomplete: "off", spellcheck: "false" });
  const setUpByHand = () => {
    const [start, form] = [main.firstElementChild, position.form];
    const { rules, piece } = Object.fromEntries(new FormData(form));
    const person = { kind: "person" };
    const game = { rules, seats: [person, person, person, person] };
    if (piece && !rules.startsWith("classic")) game.start_piece = piece;
    if (position.value.trim()) game.position = position.value;
    new SetupPage(main, shapes, game, say, (found) => {
      main.replaceChildren(start);
      if (!found) return;
      position.value = found;
      form.requestSubmit();
    });
  };
  const file = make("input", {
    type: "file",
    accept: ".xml,.gz,.blksgf,.jsonl",
    multiple: true,
    class: "hidden",
    onchange: (event) => importFiles(event.target.files, enter).catch(showError),
  });
  const recent = recentList(showError);
  main.replaceChildren(
    make(
      "div",
      { class: "start" },
      make(
        "form",
        {
          class: "card",
          onsubmit: submit,
          onchange: (event) => arrange(Object.fromEntries(new FormData(event.currentTarget))),
        },
        make("h1", {}, words.newGame),
        make("p", { class: "help" }, words.goal, " ", button(words.howTo, showRules, "link")),
        make(
          "fieldset",
          {},
          make("legend", {}, words.opponent),
          make(
            "div",
            { class: "levels" },
            ...levels.map(([value, line]) =>
              radio("opponent", value, kept.opponent, make("b", {}, words.level(value)), make("small", {}, line)),
            ),
          ),
          make(
            "div",
            { class: "choice others" },
            ...others.map(([value, label]) => radio("opponent", value, kept.opponent, label)),
          ),
        ),
        watched,
        invited,
        make("button", { class: "main large", type: "submit" }, words.start),
        make(
          "details",
          {},
          make("summary", {}, words.more),
          team,
          choice(
            "rules",
            words.rules,
            ["2027", "2021", "classic"].map((name) => [name, words[name]]),
            kept.rules,
          ),
          options,
          startPiece,
          field(
            words.clock,
            list(
              "control",
              [
                ["none 0", words.noClock],
                ...[5, 10, 20].map((n) => [`game ${n}`, words.minutes(n)]),
                ...[2, 30].map((n) => [`move ${n}`, words.seconds(n)]),
              ],
              kept.control,
            ),
          ),
          field(words.position, position),
          button(words.setUp, setUpByHand, "setup"),
        ),
      ),
      make(
        "section",
        { class: "card" },
        make("h2", {}, words.open),
        make("label", { class: "drop" }, make("strong", {}, words.chooseFile), make("span", {}, words.openHint), file),
        isStandalone
          ? make("p", { class: "help" }, words.alone, " ", make("a", { href: speedPage }, words.speed))
          : null,
        make("h2", {}, words.recent),
        ...recent.elements,
        liveList(showError),
        runningList(enter, showError),
        matchList(enter, showError),
      ),
    ),
  );
  await recent.load();
}
