// The win probability and the expected margin after every move, and the verdict about a move.

import { COLORS } from "./board.js";
import { draw, make } from "./dom.js";
import { moveButton } from "./piece.js";
import { SIGNS, percent, words } from "./words.js";

const [WIDTH, HEIGHT] = [600, 150];
/** Margin at the edges of the graph, in points. */
const MAX_MARGIN = 40;
/** Moves between two numbers of the axis. */
const TICK = 20;

const path = (points) => points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

/**
 * The runs of places with known values. A gap of one place does not split a run: a program searches its own turns only.
 * `without_lone` in review.rs has the same limit of two places.
 */
function knownRuns(review) {
  const runs = [];
  review.graph.forEach((value, i) => {
    if (!value) return;
    if (i - runs.at(-1)?.at(-1) <= 2) runs.at(-1).push(i);
    else runs.push([i]);
  });
  return runs;
}

/** Draws the graph of a review over the places of a line; `here` is the shown one, a click calls `go(i)`. */
export function graph(review, nodes, colors, here, go) {
  const count = Math.max(1, review.graph.length - 1);
  const x = (i) => (i / count) * WIDTH;
  const y = (win) => HEIGHT - win * HEIGHT;
  const svg = draw("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    class: "graph",
    role: "img",
    preserveAspectRatio: "none",
  });
  svg.append(draw("title", {}, words.graphHelp), draw("rect", { width: WIDTH, height: HEIGHT, class: "ground" }));
  const known = knownRuns(review);
  const points = (run, height) => path(run.map((i) => [x(i), height(...review.graph[i])]));
  const lines = (height) => known.map((run) => points(run, height)).join("");
  const area = known.map((run) => `${points(run, y)}L${x(run.at(-1))} ${HEIGHT}L${x(run[0])} ${HEIGHT}Z`).join("");
  const evens = [0.25, 0.5, 0.75].map((win) =>
    draw("line", { class: "even", x1: 0, x2: WIDTH, y1: y(win), y2: y(win) }),
  );
  const margins = lines((_, margin) => y(0.5 + Math.max(-0.5, Math.min(0.5, margin / (2 * MAX_MARGIN)))));
  svg.append(
    draw("path", { d: area, class: "area" }),
    ...evens,
    draw("path", { d: margins, class: "margin" }),
    draw("path", { d: lines(y), class: "line" }),
  );
  svg.append(draw("line", { x1: x(here), x2: x(here), y1: 0, y2: HEIGHT, class: "here" }));
  const place = (event) => {
    const box = svg.getBoundingClientRect();
    return Math.max(0, Math.min(count, Math.round(((event.clientX - box.left) / box.width) * count)));
  };
  svg.addEventListener("click", (event) => go(place(event)));
  // Each colour has a lane for its marks, so that they do not cover each other. They are too small for keys and screen
  // readers, which find them in the list of moves.
  const marks = review.moves
    .filter((move) => move.mark)
    .flatMap((move) => {
      const i = nodes.indexOf(move.node);
      if (i < 0 || !review.graph[i]) return [];
      const mark = make(
        "span",
        { class: `mark ${colors[i]}`, title: `${i}: ${words[move.mark]}`, onclick: () => go(i) },
        SIGNS[move.mark],
      );
      mark.style.setProperty("--place", `${(100 * i) / count}%`);
      mark.style.setProperty("--lane", COLORS.indexOf(colors[i]));
      return [mark];
    });
  const label = (text, side, value) => {
    const element = make("span", {}, text);
    element.style.setProperty(side, `${100 * value}%`);
    return element;
  };
  const ticks = Array.from({ length: Math.floor(count / TICK) + 1 }, (_, n) => n * TICK);
  return make(
    "div",
    { class: "graphframe" },
    make(
      "div",
      { class: "axis", "aria-hidden": "true" },
      ...[1, 0.5, 0].map((win) => label(percent(win), "top", 1 - win)),
    ),
    make("div", { class: "graphbox" }, svg, make("div", { class: "lanes", "aria-hidden": "true" }, ...marks)),
    make("div", { class: "ticks", "aria-hidden": "true" }, ...ticks.map((i) => label(String(i), "left", i / count))),
  );
}

/** Draws the verdict about a move with its number and colour, and the better line; `play(i)` shows it up to its move i. */
export function verdict(move, number, color, play) {
  const name = words.moveOf(number, words[color]);
  const chance = `${words.winProbabilityOf(words[move.team])}: ${percent(move.before)} → ${percent(move.after)}`;
  if (!move.mark) return make("div", {}, make("p", {}, make("b", {}, `${name}: ${words.fine}`)), make("p", {}, chance));
  const line = move.better.slice(0, 5).map((better, i) => moveButton(better, () => play(i)));
  return make(
    "div",
    {},
    make(
      "p",
      {},
      make("b", { class: move.mark }, `${name}: ${SIGNS[move.mark]} ${words[move.mark]}`),
      move.is_checked ? "" : ` (${words.unchecked})`,
    ),
    make("p", {}, chance),
    make("div", { class: "betterline" }, make("span", {}, `${words.better}:`), ...line),
  );
}

/** Draws the table of both teams. */
export function summary(review) {
  const row = (name, cell) =>
    make("tr", {}, make("th", { scope: "row" }, name), ...[0, 1].map((team) => make("td", {}, cell(team))));
  return make(
    "table",
    { class: "summary" },
    make("tr", {}, make("td"), ...["ONE", "TWO"].map((team) => make("th", { scope: "col" }, words[team]))),
    row(words.accuracy, (team) => (review.accuracy[team] === null ? "–" : percent(review.accuracy[team] / 100))),
    row(words.marks, (team) => review.marks[team].join(" / ")),
  );
}
