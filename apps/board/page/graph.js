// The chance to win and the expected margin after every move, and what the review says about the moves.

import { draw, make } from "./dom.js";
import { SIGNS, percent, signed, words } from "./words.js";

const [WIDTH, HEIGHT] = [600, 150];
/** The margin that the edges stand for, in points. */
const WIDEST = 40;

const path = (points) => points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

/** The graph of a review over the places of a line; `here` is the number of the one that is seen, `go(i)` is called for a click. */
export function graph(review, nodes, here, go) {
  const count = Math.max(1, review.graph.length - 1);
  const x = (i) => (i / count) * WIDTH;
  const y = (win) => HEIGHT - win * HEIGHT;
  const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "graph", role: "img", preserveAspectRatio: "none" });
  svg.append(draw("title", {}, words.graphHelp), draw("rect", { width: WIDTH, height: HEIGHT, class: "ground" }));
  const known = review.graph.flatMap((value, i) => (value ? [[i, value]] : []));
  const wins = known.map(([i, [win]]) => [x(i), y(win)]);
  if (wins.length > 1) {
    svg.append(draw("path", { d: `${path(wins)}L${wins.at(-1)[0]} ${HEIGHT}L${wins[0][0]} ${HEIGHT}Z`, class: "area" }));
  }
  svg.append(draw("line", { x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2, class: "even" }));
  const margins = known.map(([i, [, margin]]) => [x(i), y(0.5 + Math.max(-0.5, Math.min(0.5, margin / (2 * WIDEST))))]);
  if (wins.length > 1) svg.append(draw("path", { d: path(margins), class: "margin" }), draw("path", { d: path(wins), class: "line" }));
  svg.append(draw("line", { x1: x(here), x2: x(here), y1: 0, y2: HEIGHT, class: "here" }));
  const place = (event) => {
    const box = svg.getBoundingClientRect();
    return Math.max(0, Math.min(count, Math.round(((event.clientX - box.left) / box.width) * count)));
  };
  svg.addEventListener("click", (event) => go(place(event)));
  // Marks are elements of their own, for they are round whatever the width, and can be reached with the keyboard.
  const marks = review.moves.filter((move) => move.mark).flatMap((move) => {
    const i = nodes.indexOf(move.node);
    if (i < 0 || !review.graph[i]) return [];
    const name = `${i}: ${words[move.mark]}`;
    const mark = make("button", { type: "button", class: `mark ${move.mark}`, title: name, "aria-label": name, onclick: () => go(i) }, SIGNS[move.mark]);
    mark.style.setProperty("--place", `${(100 * i) / count}%`);
    mark.style.setProperty("--height", `${100 * (1 - review.graph[i][0])}%`);
    return [mark];
  });
  return make("div", { class: "graphbox" }, svg, ...marks);
}

/** How bad a move was and what would have been better; `play(i)` shows the better line up to its move i. */
export function verdict(move, play) {
  const chance = `${words.winChance}: ${percent(move.before)} → ${percent(move.after)}`;
  if (!move.mark) return make("p", {}, chance);
  const line = move.better.slice(0, 8).map((better, i) => make(
    "button", { type: "button", class: "linemove", onclick: () => play(i) }, make("i", { class: `key ${better.color}` }), better.move,
  ));
  return make(
    "div", {}, make("p", {}, make("b", { class: move.mark }, words[move.mark]), move.is_checked ? "" : ` (${words.unchecked})`, `, ${chance}`),
    make("div", { class: "betterline" }, make("span", {}, `${words.better}:`), ...line),
  );
}

/** The table of both teams. */
export function summary(review) {
  const row = (name, cell) => make("tr", {}, make("th", { scope: "row" }, name), ...[0, 1].map((team) => make("td", {}, cell(team))));
  return make(
    "table", { class: "summary" },
    make("tr", {}, make("td"), ...["ONE", "TWO"].map((team) => make("th", { scope: "col" }, words[team]))),
    row(words.accuracy, (team) => (review.accuracy[team] === null ? "–" : `${review.accuracy[team].toFixed(0)} %`)),
    row(words.marks, (team) => review.marks[team].join(" / ")),
    row(words.givenAway, (team) => review.points[team].map((points) => signed(-points, 0) || "0").join(" / ")),
  );
}
