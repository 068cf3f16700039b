// A game as a single page to hand in or to keep; it loads nothing.

import { coveredCells, drawEdges, newBoard } from "./board.js";
import { button, byId, make } from "./dom.js";
import { graph, summary, verdict } from "./graph.js";
import { ending, faultDetail, moveList, teamName } from "./panel.js";
import { paintBoard } from "./paint.js";
import { nameOf, switchLanguage, words } from "./words.js";

const game = JSON.parse(byId("game").textContent);
const svg = newBoard();
/** Number of shown moves, and the better line that follows them. */
let at = game.plies.length;
let line = [];
const names = ["ONE", "TWO"].map((team, i) => nameOf(game.names[i], []) || words[team]);

function go(ply, moves = []) {
  at = Math.max(0, Math.min(game.plies.length, ply));
  line = moves;
  show();
}

/** One move on or back, in the line that is played out or in the game. */
function step(by) {
  if (line.length && by < 0) go(at, line.slice(0, -1));
  else go(at + by);
}

function show() {
  const shown = [...game.plies.slice(0, at), ...line];
  const points = at ? game.plies[at - 1].points : game.points;
  const covered = coveredCells(game.start, shown);
  drawEdges(svg, covered);
  paintBoard(svg, { covered, last: shown.at(-1)?.cells ?? [], title: words.board });
  byId("scores").replaceChildren(
    ...["ONE", "TWO"].map((team, i) =>
      make(
        "div",
        { class: "score" },
        make("span", { class: "team" }, ...teamName(team, names[i])),
        make("b", {}, String(points[i])),
      ),
    ),
  );
  const hasEnded = at === game.plies.length && (game.fault || game.result !== "unfinished");
  byId("status").textContent = line.length
    ? words.lineShown(line.length)
    : hasEnded
      ? ending(game)
      : words.lookingBack(at);
  const nodes = [game.node, ...game.plies.map((ply) => ply.node)];
  byId("graph").replaceChildren(
    make("h3", {}, words.winProbabilityOf(words.ONE)),
    graph(game.review, nodes, [null, ...game.plies.map((ply) => ply.color)], at, (i) => go(i)),
    make("small", {}, words.graphHelp),
  );
  const move = game.review.moves.find((one) => one.node === nodes[line.length ? at + 1 : at]);
  const number = line.length ? at + 1 : at;
  byId("verdict").replaceChildren(
    ...(move
      ? [verdict(move, number, game.plies[number - 1].color, (i) => go(number - 1, move.better.slice(0, i + 1)))]
      : []),
  );
  const marks = new Map(game.review.moves.map((one) => [one.node, one.mark]));
  const plies = game.plies.map((ply, i) => ({ ...ply, number: i + 1 }));
  byId("moves").replaceChildren(...moveList(plies, marks, nodes[at], (node) => go(nodes.indexOf(node))));
  byId("moves").querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  byId("comment").textContent = at ? game.plies[at - 1].comment : "";
}

function begin() {
  document.title = words.sheetOf(names.join(" – "));
  const region = (id, name = "div") => make(name, { id });
  const arrow = (text, name, act) => button(text, act, "", { title: name, "aria-label": name });
  byId("main").append(
    make(
      "div",
      { class: "game sheet" },
      make(
        "div",
        { class: "middle" },
        region("scores"),
        make("p", { id: "status", role: "status" }),
        region("boardplace"),
        make(
          "nav",
          { id: "nav" },
          arrow("|◀\uFE0E", words.toStart, () => go(0)),
          arrow("◀\uFE0E", words.back, () => step(-1)),
          arrow("▶\uFE0E", words.forward, () => step(1)),
          arrow("▶\uFE0E|", words.toEnd, () => go(Infinity)),
        ),
      ),
      make(
        "div",
        { class: "right" },
        make("h1", {}, document.title),
        make("p", {}, `${words.rules}: ${words[game.rules]}`),
        make("p", { id: "fault" }, faultDetail(game.fault)),
        region("graph"),
        region("verdict"),
        make("ol", { id: "moves", class: "moves" }),
        region("comment", "p"),
        make("div", {}, summary(game.review), make("small", {}, words.scale)),
        make("p", { class: "help" }, words.keys),
        make("div", {}, button(words.language, switchLanguage)),
      ),
    ),
  );
  byId("boardplace").append(svg);
  const keys = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => go(0), End: () => go(Infinity) };
  addEventListener("keydown", (event) => {
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    keys[event.key]();
    event.preventDefault();
  });
  show();
}

begin();
