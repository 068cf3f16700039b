// Texts and lists beside the board: whose turn it is, the points, the moves, the candidates.

import { button, make } from "./dom.js";
import { moveButton, picture, spoken } from "./piece.js";
import { SIGNS, nameOf, percent, signed, words } from "./words.js";

/** Returns the end of a game in one sentence. */
export function ending({ fault, result }) {
  if (fault) {
    const [team, kind] = fault;
    return words.faults[kind](words[team]);
  }
  if (result === "drawn") return words.draw;
  return result === "unfinished" ? words.unfinished : words.won(words[result]);
}

/** Returns the message of a game server about the fault that ended a game. */
export const faultDetail = (fault) => (fault?.[2] ? words.serverMessage(fault[2]) : "");

/** Returns the state of the game in one sentence. */
export function status(view) {
  if (view.node !== view.current || !view.has_ended) {
    if (view.node !== view.current) return words.lookingBack(view.line.findIndex((ply) => ply.node === view.node));
    if (view.is_paused) return words.paused;
    if (view.color === null) return words.unfinished;
    const color = words[view.color];
    if (view.is_engine_on_turn) return words.thinking(color);
    return view.may_move ? words.yourTurn(color) : words.theirTurn(color);
  }
  return ending(view);
}

const clock = (milliseconds) => {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};

/** Draws a team by its colours and a name, with a small text below. */
export const teamName = (team, name, below = "") => [
  ...({ ONE: ["BLUE", "RED"], TWO: ["YELLOW", "GREEN"] }[team] ?? [team]).map((color) =>
    make("i", { class: `key ${color}` }),
  ),
  make("span", {}, name, make("small", {}, below)),
];

/** Returns the players of a team from the view of a role. */
export const player = (view, i, role) =>
  nameOf(view.teams[i].player, [view.colors[i].seat, view.colors[i + 2].seat], {
    role,
    colors: [view.colors[i].name, view.colors[i + 2].name],
    allPersons: view.colors.every(({ seat }) => seat.kind === "person"),
  });

/** Draws points and clocks of both teams, or points of four players; `passed` are the milliseconds since the view arrived. */
export function scores(view, role, passed) {
  if (view.rules === "classic-4") {
    return view.colors.map((color) =>
      make(
        "div",
        { class: `score ${color.team} ${color.name === view.color ? "on-turn" : ""}` },
        make("span", { class: "team" }, ...teamName(color.name, words[color.name])),
        make("b", { role: "img", "aria-label": words.pointsOf(color.points) }, String(color.points)),
      ),
    );
  }
  return view.teams.map((team, i) => {
    const left = team.clock === null ? null : team.clock - (team.clock_runs ? passed : 0);
    const isOnTurn = view.colors.some((color) => color.name === view.color && color.team === team.name);
    return make(
      "div",
      { class: `score ${team.name} ${isOnTurn ? "on-turn" : ""}` },
      make("span", { class: "team" }, ...teamName(team.name, words[team.name], player(view, i, role))),
      left === null ? null : make("time", { class: team.clock_runs ? "runs" : "" }, clock(left)),
      make("b", { role: "img", "aria-label": words.pointsOf(team.points) }, String(team.points)),
    );
  });
}

/** Draws a list of moves, each with its number; a click goes to one, and `edit` opens the menu of a variation. */
export function moveList(plies, marks, here, go, edit = null) {
  return plies.map((ply) =>
    make(
      "li",
      {
        class: [ply.isVariation && "variation", ply.is_played && "played", ply.hasMenu && "editable"]
          .filter(Boolean)
          .join(" "),
      },
      make(
        "button",
        {
          type: "button",
          "aria-current": ply.node === here ? "true" : null,
          title: ply.comment || null,
          onclick: () => go(ply.node),
          class: ply.comment ? "commented" : "",
          "aria-label": [ply.number, spoken(ply.color, ply.move), words[marks.get(ply.node)]].filter(Boolean).join(" "),
        },
        make("small", {}, String(ply.number)),
        picture(ply.color, ply.move, ply.cells),
        ply.label ? make("q", {}, ply.label) : null,
        make("em", { class: marks.get(ply.node) ?? "" }, SIGNS[marks.get(ply.node)] ?? ""),
      ),
      edit && ply.hasMenu
        ? button("⋯", () => edit(ply), "edit", {
            title: words.variation,
            "aria-label": `${words.variation} ${ply.number}`,
          })
        : null,
    ),
  );
}

/** Draws the moves of a view with their variations. */
export function moves(view, marks, cellsOf, go, edit) {
  // The moves of the played game are marked where another line is shown.
  const isOther = view.line.some((ply) => !ply.is_played);
  const shown = (ply, i) => ({ ...ply, number: i + 1, is_played: isOther && ply.is_played });
  const plies = view.line.slice(1).flatMap((ply, i) => {
    const others = view.variations[view.line[i].node] ?? [];
    return [
      { ...shown(ply, i), hasMenu: others.length > 0 },
      ...others.map((other) => ({ ...shown(other, i), isVariation: true, hasMenu: true })),
    ];
  });
  return moveList(
    plies.map((ply) => ({ ...ply, cells: cellsOf(ply.move) })),
    marks,
    view.node,
    go,
    edit,
  );
}

/** Creates a table with a heading for each column. */
export const table = (name, head, rows) =>
  make("table", { class: name }, make("tr", {}, ...head.map((text) => make("th", { scope: "col" }, text))), ...rows);

/** Returns the candidates of the search. A comparison of moves adds others, with share 0. */
export const searched = ({ candidates }) => candidates.filter(({ share }) => share > 0);

/**
 * Draws the evaluation of the position. Until the answer arrives, the same room stays empty. `on.line(i)` shows the
 * expected line up to its move i, `on.preview(candidate)` draws a candidate alone, `on.try(candidate)` plays it out.
 */
export function insight(view, isAsked, on) {
  if (!(view.insight || isAsked) || view.color === null) return null;
  const known = view.insight ?? { win: null, candidates: [] };
  const { win, margin } = known;
  const row = (candidate, i) =>
    make(
      "tr",
      { onmouseenter: () => on.preview(i), onmouseleave: () => on.preview(null) },
      make("td", {}, String(i + 1)),
      make(
        "th",
        { scope: "row" },
        moveButton({ color: view.color, ...candidate }, () => on.try(candidate), {
          onfocus: () => on.preview(i),
          onblur: () => on.preview(null),
        }),
      ),
      make("td", {}, percent(candidate.share)),
      make("td", {}, candidate.win === null ? "–" : percent(candidate.win)),
    );
  const line = view.expected.slice(0, 5).map((move, i) => moveButton(move, () => on.line(i)));
  const chance =
    win === null
      ? words.asked
      : `${words.winProbability}: ${words.ONE} ${percent(win)}, ${words.TWO} ${percent(1 - win)}. ${words.expectedMargin(words.ONE, signed(margin, 1) || "0")}`;
  return make(
    "div",
    { class: "insight" },
    make("p", {}, chance),
    make(
      "div",
      { class: "candidatebox" },
      table("candidates", ["#", words.move, words.searchShare, words.winProbability], searched(known).map(row)),
    ),
    make("div", { class: "betterline" }, make("span", {}, `${words.expected}:`), ...line),
  );
}
