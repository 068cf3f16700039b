// What stands beside the board: whose turn it is, the points, the moves, what an engine thinks.

import { make } from "./dom.js";
import { SIGNS, nameOf, percent, signed, words } from "./words.js";

/** In one sentence how a game has ended. */
export function ending({ fault, result }) {
  if (fault) {
    const [team, kind] = fault;
    return words.faults[kind](words[team]);
  }
  if (result === "drawn") return words.draw;
  return result === "unfinished" ? words.unfinished : words.won(words[result]);
}

/** What was said of the fault by which a game has ended, by a game server for example; it may be long. */
export const faultDetail = (fault) => (fault?.[2] ? words.said(fault[2]) : "");

/** In one sentence how the game stands. */
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

/** A team by its colours and a name, with something small below. */
export const teamName = (team, name, below = "") => [
  ...({ ONE: ["BLUE", "RED"], TWO: ["YELLOW", "GREEN"] }[team] ?? [team]).map((color) => make("i", { class: `key ${color}` })),
  make("span", {}, name, make("small", {}, below)),
];

/** Who plays a team, in words. */
const player = (view, team) => nameOf(team.player, view.colors.filter((color) => color.team === team.name).map((color) => color.seat));

/** Points and clocks of both teams, or points of four players; `passed` are the milliseconds since the view came. */
export function scores(view, passed) {
  if (view.rules === "classic-4") {
    return view.colors.map((color) => make(
      "div", { class: `score ${color.team} ${color.name === view.color ? "on-turn" : ""}` },
      make("span", { class: "team" }, ...teamName(color.name, words[color.name])),
      make("b", { "aria-label": words.pointsOf(color.points) }, String(color.points)),
    ));
  }
  return view.teams.map((team) => {
    const left = team.clock === null ? null : team.clock - (team.clock_runs ? passed : 0);
    const isOnTurn = view.colors.some((color) => color.name === view.color && color.team === team.name);
    return make(
      "div", { class: `score ${team.name} ${isOnTurn ? "on-turn" : ""}` },
      make("span", { class: "team" }, ...teamName(team.name, words[team.name], player(view, team))),
      left === null ? null : make("time", { class: team.clock_runs ? "runs" : "" }, clock(left)),
      make("b", { "aria-label": words.pointsOf(team.points) }, String(team.points)),
    );
  });
}

/** Lines of a list of moves, each with its number; a click goes to one. */
export function moveList(plies, marks, here, go) {
  return plies.map((ply) => make(
    "li", { class: ply.isVariation ? "variation" : "" },
    make(
      "button", {
        type: "button", "aria-current": ply.node === here ? "true" : null, title: ply.comment || null, onclick: () => go(ply.node),
        class: ply.comment ? "commented" : "",
      },
      make("small", {}, String(ply.number)), make("i", { class: `key ${ply.color}` }), ply.move.replace("@", " "),
      make("em", { class: marks.get(ply.node) ?? "" }, SIGNS[marks.get(ply.node)] ?? ""),
    ),
  ));
}

/** The moves of a view with their variations. */
export function moves(view, review, go) {
  const marks = new Map((review?.moves ?? []).map((move) => [move.node, move.mark]));
  const plies = view.line.slice(1).flatMap((ply, i) => [
    { ...ply, number: i + 1 },
    ...(view.variations[view.line[i].node] ?? []).map((other) => ({ ...other, number: i + 1, isVariation: true })),
  ]);
  return moveList(plies, marks, view.node, go);
}

/**
 * What an engine thinks of the position, with the same room while nothing is known yet but was asked for; `play(i)` shows
 * the line that it expects up to its move i.
 */
export function insight(view, isAsked, play) {
  if (!(view.insight || isAsked) || view.color === null) return null;
  const { win, margin, candidates } = view.insight ?? { win: null, candidates: [] };
  const row = ({ move, share, win: chance }, i) => make(
    "tr", {}, make("td", {}, String(i + 1)), make("th", { scope: "row" }, move.replace("@", " ")),
    make("td", {}, percent(share)), make("td", {}, chance === null ? "–" : percent(chance)),
  );
  const head = ["", words.move, words.share, words.wins].map((name) => make("th", { scope: "col" }, name));
  const line = view.expected.slice(0, 6).map((move, i) => make(
    "button", { type: "button", class: "linemove", onclick: () => play(i) }, make("i", { class: `key ${move.color}` }), move.move,
  ));
  const isKnown = win !== null;
  const chance = isKnown ? `${words.ONE} ${percent(win)}, ${signed(margin, 1) || "0"} ${words.points} · ${words.TWO} ${percent(1 - win)}` : words.asked;
  const bar = make("div", { class: "winbar", role: "img", "aria-label": isKnown ? `${words.winChance} (${words.ONE}): ${percent(win)}` : words.asked }, make("i"));
  bar.firstChild.style.width = `${100 * (win ?? 0.5)}%`;
  return make(
    "div", { class: "insight" }, bar,
    make("p", {}, chance),
    make("div", { class: "candidatebox" }, make("table", { class: "candidates" }, make("tr", {}, ...head), ...candidates.map(row))),
    make("div", { class: "betterline" }, make("span", {}, `${words.expected}:`), ...line),
  );
}
