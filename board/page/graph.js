// The chance to win after every move, and what the review says about the moves.

import { draw, make } from "./dom.js";
import { percent, signed, words } from "./words.js";

const [WIDTH, HEIGHT] = [600, 150];

/** The graph; `go(node)` is called for a click. */
export function graph(review, view, go) {
  const count = Math.max(1, review.graph.length - 1);
  const x = (i) => (i / count) * WIDTH;
  const y = (win) => HEIGHT - win * HEIGHT;
  const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "graph", role: "img", "aria-label": words.graphHelp });
  svg.append(draw("rect", { width: WIDTH, height: HEIGHT, class: "ground" }));
  svg.append(draw("line", { x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2, class: "even" }));
  const known = review.graph.flatMap((value, i) => (value ? [[x(i), y(value[0])]] : []));
  if (known.length > 1) {
    const line = known.map(([px, py], i) => `${i ? "L" : "M"}${px.toFixed(1)} ${py.toFixed(1)}`).join("");
    svg.append(draw("path", { d: `${line}L${known.at(-1)[0]} ${HEIGHT / 2}L${known[0][0]} ${HEIGHT / 2}Z`, class: "area" }));
    svg.append(draw("path", { d: line, class: "line" }));
  }
  const places = new Map(view.line.map((ply, i) => [ply.node, i]));
  for (const move of review.moves.filter((move) => move.mark)) {
    const i = places.get(move.node);
    if (i === undefined || !review.graph[i]) continue;
    svg.append(draw("circle", { cx: x(i), cy: y(review.graph[i][0]), r: 5, class: move.mark }));
  }
  const here = places.get(view.node) ?? 0;
  svg.append(draw("line", { x1: x(here), x2: x(here), y1: 0, y2: HEIGHT, class: "here" }));
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const i = Math.round(((event.clientX - box.left) / box.width) * count);
    if (view.line[i]) go(view.line[i].node);
  });
  return svg;
}

/** What the review says about the move that led here. */
export function verdict(review, view) {
  const move = review.moves.find((move) => move.node === view.node);
  if (!move) return null;
  const chance = `${words.winChance}: ${percent(move.before)} → ${percent(move.after)}`;
  if (!move.mark) return make("p", {}, chance);
  return make("p", { class: move.mark }, make("b", {}, words[move.mark]), ` ${chance}. ${words.better}: ${move.better.slice(0, 4).join(", ")}`);
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
