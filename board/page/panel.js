// What stands beside the board: whose turn it is, what can be done, the moves.

import { make } from "./dom.js";
import { percent, signed, words } from "./words.js";

/** In one sentence how the game stands. */
export function status(view) {
  if (view.node !== view.current || !view.has_ended) {
    if (view.is_paused) return words.paused;
    if (view.color === null) return words.unfinished;
    const color = words[view.color];
    if (view.node === view.current && view.is_engine_on_turn) return words.thinking(color);
    return view.may_move ? words.yourTurn(color) : words.theirTurn(color);
  }
  if (view.fault) {
    const [team, kind] = view.fault;
    const said = { resigned: words.resigned, late: words.late }[kind];
    return said ? said(words[team]) : words.lostBy(words[team], kind);
  }
  if (view.result === "drawn") return words.draw;
  return view.result === "unfinished" ? words.unfinished : words.won(words[view.result]);
}

const clock = (milliseconds) => {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};

/** Points and clocks of both teams; `passed` are the milliseconds since the view came. */
export function scores(view, passed) {
  return view.teams.map((team) => {
    const left = team.clock === null ? null : team.clock - (team.clock_runs ? passed : 0);
    return make(
      "div", { class: `score ${team.name}` },
      make("span", {}, team.player || words[team.name]),
      make("b", { "aria-label": `${team.points} ${words.points}` }, String(team.points)),
      left === null ? null : make("time", { class: team.clock_runs ? "runs" : "" }, clock(left)),
    );
  });
}

/** The list of moves; a click goes to one. */
export function moves(view, review, go) {
  const marks = new Map((review?.moves ?? []).map((move) => [move.node, move.mark]));
  const sign = { inaccuracy: "?!", mistake: "?", blunder: "??" };
  const item = (ply, isVariation) => make(
    "li", { class: `${isVariation ? "variation" : ""}` },
    make(
      "button", { type: "button", "aria-current": ply.node === view.node ? "true" : null, title: ply.comment || null, onclick: () => go(ply.node) },
      make("i", { class: `key ${ply.color}` }), ply.move, make("em", { class: marks.get(ply.node) ?? "" }, sign[marks.get(ply.node)] ?? ""),
    ),
  );
  const items = view.line.slice(1).flatMap((ply, i) => [
    item(ply, false),
    ...(view.variations[view.line[i].node] ?? []).map((other) => item(other, true)),
  ]);
  return make("ol", { class: "moves", "aria-label": words.moves }, ...items);
}

/** What an engine thinks of the position. */
export function insight(view) {
  if (!view.insight || view.color === null) return null;
  const { win, margin, candidates } = view.insight;
  const items = candidates.map((candidate) => make(
    "li", {}, make("code", {}, candidate.move), ` ${words.share} ${percent(candidate.share)}`,
    candidate.win === null ? "" : `, ${words.win} ${percent(candidate.win)}`,
  ));
  const text = `${words.winChance} (${words.ONE}): ${percent(win)}, ${words.margin} ${signed(margin, 1)}`;
  return make("div", { class: "insight" }, make("p", {}, text), make("ol", {}, ...items));
}
