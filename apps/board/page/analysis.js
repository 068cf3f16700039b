// The tab with the analysis: the verdict about the shown move, the graph, and learning from mistakes.

import { button, make } from "./dom.js";
import { graph, summary, verdict } from "./graph.js";
import { mistakesOf } from "./lesson.js";
import { numberList, toggle } from "./options.js";
import { decisive, ownTeam } from "./result.js";
import { words } from "./words.js";

/** Times for each position, in milliseconds. */
const TIMES = [100, 500, 2000];

/** Starts, stops and shows the progress of an analysis. */
export function controls(game) {
  const { progress, options } = game;
  const analysis = progress
    ? [
        make("progress", { value: progress.done, max: progress.total }),
        words.progress(progress.done, progress.total),
        button(words.stop, () => game.stop()),
      ]
    : [
        button(words.analyse, () => game.analyse(), "main"),
        numberList(
          "time",
          options.time,
          TIMES,
          (ms) => words.perMove(ms / 1000),
          (ms) => game.choose("time", ms),
        ),
      ];
  return make(
    "div",
    { class: "row" },
    ...analysis,
    toggle("live", options.live, (isOn) => game.choose("live", isOn)),
  );
}

/** Returns the review without unconfirmed marks. */
export function settled(review) {
  const moves = review.moves.map((move) => (move.is_checked || !move.better.length ? move : { ...move, mark: null }));
  return { ...review, moves };
}

/** Draws the verdict about the shown move, or about the whole game at its start and end. */
export function drawVerdict(game, review) {
  const { view } = game;
  const nodes = view.line.map((ply) => ply.node);
  const of = game.line?.of ?? view.node;
  const number = nodes.indexOf(of);
  const move = number > 0 ? review.moves.find((one) => one.node === of) : undefined;
  const isEnd = !game.line && (game.index === 0 || game.index === nodes.length - 1);
  const showBetter = (i) => game.play(nodes[number - 1], move.better, i, of);
  return [
    isEnd ? decisive(review, view.line, (node) => game.go(node)) : null,
    move ? verdict(move, number, view.line[number].color, showBetter) : make("p", {}, words.verdictHelp),
  ];
}

export function drawGraph(game, review) {
  const nodes = game.view.line.map((ply) => ply.node);
  const colors = game.view.line.map((ply) => ply.color);
  return [
    make("h3", {}, words.winProbabilityOf(words.ONE)),
    graph(review, nodes, colors, game.index, (i) => nodes[i] !== undefined && game.go(nodes[i])),
    make("small", {}, words.graphHelp),
  ];
}

/** Draws both teams' figures, and buttons that start a lesson. */
export function drawSummary(game, review) {
  const own = ownTeam(game.view, game.role);
  const teams = own === "TWO" ? ["TWO", "ONE"] : ["ONE", "TWO"];
  const lesson = (team) => {
    const count = mistakesOf(review, team).length;
    return button(`${words[team]} (${count})`, () => game.learn(team), team === own ? "main" : "", {
      disabled: !count,
    });
  };
  return [
    game.isHost && make("div", { class: "row learn" }, make("b", {}, words.learn), ...teams.map(lesson)),
    summary(review),
    make("small", {}, words.scale),
  ];
}
