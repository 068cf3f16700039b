// The last tab: display options, pace of programs, files and players.

import { isStandalone, textOf } from "./connection.js";
import { copyLinkButton } from "./dialogs.js";
import { button, make } from "./dom.js";
import { player } from "./panel.js";
import { download, savePng, saveSvg } from "./save.js";
import { shareLink } from "./share.js";
import { words } from "./words.js";

/** Minimum times between two moves of programs in milliseconds. */
const PACES = [0, 500, 1500, 4000];
const SHOWN = ["last", "numbers", "anchors", "territory", "letters"];

/** Creates a list of numbers to choose from. */
export const numberList = (name, chosen, values, text, change) =>
  make(
    "select",
    { "aria-label": words[name], onchange: (event) => change(Number(event.target.value)) },
    ...values.map((value) => make("option", { value: String(value), selected: value === chosen }, text(value))),
  );

export const toggle = (name, isOn, change) =>
  make(
    "label",
    {},
    make("input", { type: "checkbox", checked: isOn, onchange: (event) => change(event.target.checked) }),
    words[name],
  );

/** Returns the name of a file with a game: players and points. */
function fileName(view, role, kind) {
  const names = [0, 1].map((i) => player(view, i, role)).filter(Boolean);
  const points = view.teams.map((team) => team.points);
  const parts = ["blokus", view.rules, ...names, ...points].join("-").normalize("NFKD").toLowerCase();
  return `${parts.replace(/[^a-z0-9]+/g, "-").replace(/-+$/, "")}.${kind}`;
}

/** Draws the rows of the tab; `game` is the page of the game. */
export function optionRows(game) {
  const { view, role, options, isHost, board } = game;
  const row = (...parts) => make("div", { class: "row" }, ...parts);
  const file = (kind, save) =>
    button(
      `${words.kinds[kind]} (.${kind})`,
      () => save(fileName(view, role, kind)).catch((error) => game.showError(error)),
      "file",
    );
  const text = (kind) =>
    file(kind, async (name) => download(new Blob([await textOf(game.token, kind)], { type: "text/plain" }), name));
  const files = ["html", "blksgf", "jsonl", ...(view.rules.startsWith("classic") ? [] : ["xml"])];
  const pace = (ms) => (ms ? words.paceOf(ms / 1000) : words.paceNone);
  return [
    isHost &&
      row(
        make("span", {}, `${words.pace}:`),
        numberList("pace", game.pace, PACES, pace, (value) => game.choose("pace", value)),
      ),
    row(
      make("span", {}, `${words.marked}:`),
      ...SHOWN.map((name) => toggle(name, options[name], (isOn) => game.choose(name, isOn))),
    ),
    row(
      make("span", {}, `${words.save}:`),
      ...files.map(text),
      file("svg", (name) => saveSvg(board.svg, name)),
      file("png", (name) => savePng(board.svg, name)),
    ),
    isStandalone &&
      row(
        make("span", {}, `${words.share}:`),
        copyLinkButton(() => shareLink(game.token).catch((error) => game.showError(error)), "share"),
      ),
    isHost && row(button(isStandalone ? words.players : words.seats, () => game.showSeats(), "players")),
  ];
}
