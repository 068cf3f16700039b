// The board: the picture of the crate `picture`, with marks for players.

import { byId, draw } from "./dom.js";
import { paintBoard } from "./paint.js";
import { SIZE, places } from "./piece.js";
import { words } from "./words.js";

export const COLORS = ["BLUE", "YELLOW", "RED", "GREEN"];
const LETTERS = "BYRG";
/** Height of a label, and width of a character, in cells. */
const [LABEL_HEIGHT, LABEL_WIDTH] = [0.9, 0.42];

const square = ([x, y], attributes, inset = 0) =>
  draw("rect", { x: x + inset, y: y + inset, width: 1 - 2 * inset, height: 1 - 2 * inset, ...attributes });
const isOnBoard = ([x, y]) => x >= 0 && y >= 0 && x < SIZE && y < SIZE;

/** Returns the covered cells of each colour, from the 400 letters of a view and the moves that are played on top of it. */
export function coveredCells(letters, moves = []) {
  const covered = COLORS.map(() => []);
  [...letters].forEach((letter, cell) => covered[LETTERS.indexOf(letter)]?.push(cell));
  for (const move of moves) covered[COLORS.indexOf(move.color)].push(...move.cells);
  return covered;
}

/** Returns the outline of cells as the data of a path. */
function outline(cells) {
  const inside = new Set(cells.map(([x, y]) => `${x},${y}`));
  const has = (x, y) => inside.has(`${x},${y}`);
  return cells
    .map(
      ([x, y]) =>
        (has(x, y - 1) ? "" : `M${x} ${y}h1`) +
        (has(x, y + 1) ? "" : `M${x} ${y + 1}h1`) +
        (has(x - 1, y) ? "" : `M${x} ${y}v1`) +
        (has(x + 1, y) ? "" : `M${x + 1} ${y}v1`),
    )
    .join("");
}

/** Returns the common area of two rectangles, each as left, top, width and height. */
const overlap = ([ax, ay, aw, ah], [bx, by, bw, bh]) =>
  Math.max(0, Math.min(ax + aw, bx + bw) - Math.max(ax, bx)) *
  Math.max(0, Math.min(ay + ah, by + bh) - Math.max(ay, by));

/** Returns the place of a label: next to its move, over as little as possible of other moves and labels. */
function labelPlace(cells, width, moves, labels) {
  const beside = ([x, y]) => [
    [x + (1 - width) / 2, y - LABEL_HEIGHT],
    [x + (1 - width) / 2, y + 1],
    [x - width, y],
    [x + 1, y],
  ];
  // Labels stay inside the board.
  const clamp = (value, size) => Math.max(0, Math.min(SIZE - size, value));
  const options = cells.flatMap(beside).map(([x, y]) => [clamp(x, width), clamp(y, LABEL_HEIGHT), width, LABEL_HEIGHT]);
  const sum = (place, others) => others.reduce((all, other) => all + overlap(place, other), 0);
  const hidden = (place) => sum(place, moves) + 10 * sum(place, labels);
  return options.reduce((best, place) => (hidden(place) < hidden(best) ? place : best));
}

/** Returns the cell nearest to the middle of the given ones. */
export function middleOf(cells) {
  const middle = [0, 1].map((axis) => cells.reduce((sum, cell) => sum + cell[axis], 0) / cells.length);
  const distance = (cell) => (cell[0] - middle[0]) ** 2 + (cell[1] - middle[1]) ** 2;
  return cells.reduce((best, cell) => (distance(cell) < distance(best) ? cell : best));
}

/** Replaces the letters of the notation by the letters of the page's language. */
function setLetters(text, letters, cells) {
  // `x` and `y` hold one position per character; the spans set their own.
  for (const axis of ["x", "y"]) text.removeAttribute(axis);
  text.replaceChildren(...places(cells).map(([x, y]) => draw("tspan", { x: x + 0.5, y: y + 0.5 }, letters)));
}

/** Draws an empty board. */
export function newBoard() {
  const svg = byId("board").content.firstElementChild.cloneNode(true);
  // There are labels above and to the left only.
  svg.setAttribute("viewBox", "-1.1 -1.1 21.2 21.2");
  svg.querySelector(".grid").after(
    draw("path", {
      class: "edges",
      fill: "none",
      stroke: "#3b4650",
      "stroke-width": ".08",
      "stroke-linecap": "square",
    }),
  );
  return svg;
}

/** Draws a thin edge around each piece. */
export const drawEdges = (svg, covered) =>
  svg.querySelector(".edges").setAttribute("d", covered.map((cells) => outline(places(cells))).join(""));

export class Board {
  constructor(parent) {
    this.svg = newBoard();
    this.svg.setAttribute("tabindex", "0");
    this.layers = {};
    const layer = (name) => (this.layers[name] = draw("g", { class: `layer ${name}`, "aria-hidden": "true" }));
    this.svg.querySelector(".grid").before(layer("territory"));
    this.svg.append(...["starts", "numbers", "arrival", "ghosts", "legal", "refused", "wrong", "hand"].map(layer));
    parent.append(this.svg);
  }

  set(name, elements) {
    this.layers[name].replaceChildren(...elements);
  }

  /** Draws a position and, on top of it, the moves `line` of an engine line. */
  show(view, options, line = []) {
    const last = line.at(-1) ?? (options.last ? view.last : null);
    const anchors = COLORS.map((_, i) =>
      options.anchors && view.colors[i].in_play && !line.length ? view.colors[i].anchors : [],
    );
    const points = view.colors.map((color) => `${words[color.name]}: ${color.points}`).join(", ");
    const moved = view.last ? `${words.moved(words[view.last.color], view.last.move)}. ` : "";
    const covered = coveredCells(view.board, line);
    paintBoard(this.svg, {
      covered,
      last: last?.cells ?? [],
      anchors,
      title: words.board,
      description: `${moved}${points}.`,
    });
    this.svg
      .querySelectorAll(".letters text")
      .forEach((text, i) => setLetters(text, words.colorLetters[i], covered[i]));
    drawEdges(this.svg, covered);
    this.svg.classList.toggle("lettered", options.letters);
    this.svg.classList.toggle("has-line", line.length > 0);
  }

  /** Marks the cells where the first piece of a colour may lie; `name` is the colour. */
  starts(cells, name) {
    this.set(
      "starts",
      places(cells).map((cell) => square(cell, { class: name, rx: 0.1 }, 0.08)),
    );
  }

  /** Writes numbers onto moves, given as cells and a colour. */
  numbers(moves) {
    this.set(
      "numbers",
      moves.flatMap(({ cells, number, name }) => {
        if (!cells.length) return [];
        const [x, y] = middleOf(cells);
        return [draw("text", { x: x + 0.5, y: y + 0.54, class: name }, String(number))];
      }),
    );
  }

  /** Fades in a move. */
  arrive(cells) {
    const group = draw("g", { class: "fading" }, ...places(cells).map((cell) => square(cell, {}, -0.04)));
    group.addEventListener("animationend", () => group.remove());
    this.set("arrival", [group]);
  }

  /** Draws a refused move and the cells that break a rule. */
  refused(cells, name, wrong = []) {
    this.set(
      "refused",
      cells.length
        ? [
            ...cells.filter(isOnBoard).map((cell) => square(cell, { class: name })),
            draw("path", { d: outline(cells) }),
            ...places(wrong).map((cell) => square(cell, { class: "broken" }, 0.06)),
          ]
        : [],
    );
  }

  /** Shades where a colour can still go; stronger where nobody else can. */
  territory(color, name) {
    const sealed = new Set(color?.sealed);
    this.set(
      "territory",
      (color?.reach ?? []).map((cell) =>
        square(...places([cell]), { class: `${name} ${sealed.has(cell) ? "sealed" : ""}` }),
      ),
    );
  }

  /** Marks the legal places of the grabbed cell. */
  legal(cells) {
    this.set(
      "legal",
      places(cells).map(([x, y]) => draw("circle", { cx: x + 0.5, cy: y + 0.5, r: 0.16 })),
    );
  }

  /** Marks cells that break a rule; where the piece must cover one of several cells, marks these as needed. */
  wrong(cells, needed = []) {
    const marks = (list, name) => places(list).map((cell) => square(cell, { class: name }, 0.06));
    this.set("wrong", [...marks(cells, "broken"), ...marks(needed, "needed")]);
  }

  /** Draws the piece at the pointer. */
  hand(cells, name, isLegal) {
    if (!cells.length) return this.set("hand", []);
    const state = isLegal ? "fits" : "fails";
    this.set("hand", [
      ...cells.filter(isOnBoard).map((cell) => square(cell, { class: `${name} ${state}` })),
      draw("path", { class: state, d: outline(cells) }),
    ]);
  }

  /** Draws candidates, the best first, each with a label. */
  ghosts(ghosts) {
    const covered = ghosts.flatMap(({ cells }) => cells.map(([x, y]) => [x, y, 1, 1]));
    const moves = ghosts.map(({ cells, name, rank }) => {
      const group = draw("g", { class: `ghost rank${rank} ${name}` });
      group.append(...cells.map((cell) => square(cell, { class: name })), draw("path", { d: outline(cells) }));
      return group;
    });
    const taken = [];
    const labels = ghosts.map(({ cells, label }) => {
      const [x, y, width, height] = labelPlace(
        cells,
        Math.max(LABEL_HEIGHT, LABEL_WIDTH * label.length),
        covered,
        taken,
      );
      taken.push([x, y, width, height]);
      const group = draw("g", { class: "ghost" });
      const text = draw("text", { x: x + width / 2, y: y + height / 2 + 0.04 }, label);
      group.append(draw("rect", { class: "label", x, y, width, height, rx: height / 2 }), text);
      return group;
    });
    // The best is drawn last, over the others, and labels over all.
    this.set("ghosts", [...moves.reverse(), ...labels]);
  }

  /** Returns the place under a point of the window in cells; it may lie beyond the board. */
  placeAt(clientX, clientY) {
    const matrix = this.svg.getScreenCTM();
    return [(clientX - matrix.e) / matrix.a, (clientY - matrix.f) / matrix.d];
  }
}
