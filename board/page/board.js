// The board: the picture of the crate `picture`, and what a player needs on it.

import { byId, draw } from "./dom.js";
import { paintBoard } from "./paint.js";
import { words } from "./words.js";

const SIZE = 20;
export const COLORS = ["BLUE", "YELLOW", "RED", "GREEN"];
const LETTERS = "BYRG";
/** How high what is written on a move is, and how wide a character of it. */
const [LABEL_HEIGHT, LABEL_WIDTH] = [0.9, 0.42];

const place = (cell) => [cell % SIZE, Math.floor(cell / SIZE)];
const square = ([x, y], attributes, inset = 0) =>
  draw("rect", { x: x + inset, y: y + inset, width: 1 - 2 * inset, height: 1 - 2 * inset, ...attributes });
const isOnBoard = ([x, y]) => x >= 0 && y >= 0 && x < SIZE && y < SIZE;

/** The covered cells of each colour, from the 400 letters of a view and the moves that are played on top of it. */
export function coveredCells(letters, moves = []) {
  const covered = COLORS.map(() => []);
  [...letters].forEach((letter, cell) => covered[LETTERS.indexOf(letter)]?.push(cell));
  for (const move of moves) covered[COLORS.indexOf(move.color)].push(...move.cells);
  return covered;
}

/** The outline of cells as the data of a path. */
function outline(cells) {
  const inside = new Set(cells.map(([x, y]) => `${x},${y}`));
  const has = (x, y) => inside.has(`${x},${y}`);
  return cells.map(([x, y]) =>
    (has(x, y - 1) ? "" : `M${x} ${y}h1`) + (has(x, y + 1) ? "" : `M${x} ${y + 1}h1`) +
    (has(x - 1, y) ? "" : `M${x} ${y}v1`) + (has(x + 1, y) ? "" : `M${x + 1} ${y}v1`)).join("");
}

/** A picture of an empty board. */
export function newBoard() {
  const svg = byId("board").content.firstElementChild.cloneNode(true);
  // There are labels above and to the left only.
  svg.setAttribute("viewBox", "-1.1 -1.1 21.2 21.2");
  return svg;
}

export class Board {
  constructor(parent) {
    this.svg = newBoard();
    this.svg.setAttribute("tabindex", "0");
    this.layers = {};
    const layer = (name) => (this.layers[name] = draw("g", { class: `layer ${name}`, "aria-hidden": "true" }));
    this.svg.querySelector(".grid").before(layer("territory"));
    this.svg.append(...["ghosts", "legal", "wrong", "hand"].map(layer));
    parent.append(this.svg);
  }

  set(name, elements) {
    this.layers[name].replaceChildren(...elements);
  }

  /** Draws what lies on the board; `line` are moves that are only thought of. */
  show(view, options, line = []) {
    const last = line.at(-1) ?? (options.last ? view.last : null);
    const anchors = COLORS.map((_, i) => (options.anchors && view.colors[i].in_play && !line.length ? view.colors[i].anchors : []));
    const points = view.colors.map((color) => `${words[color.name]}: ${color.points}`).join(", ");
    const moved = view.last ? `${words.moved(words[view.last.color], view.last.move)}. ` : "";
    paintBoard(this.svg, {
      covered: coveredCells(view.board, line), last: last?.cells ?? [], anchors, title: words.board, description: `${moved}${points}.`,
    });
    this.svg.classList.toggle("lettered", options.letters);
    this.svg.classList.toggle("thought", line.length > 0);
  }

  /** Shades where a colour can still go; stronger where nobody else can. */
  territory(color, name) {
    const sealed = new Set(color?.sealed);
    this.set("territory", (color?.reach ?? []).map((cell) => square(place(cell), { class: `${name} ${sealed.has(cell) ? "sealed" : ""}` })));
  }

  /** Marks where the cell by which the piece is held may go. */
  legal(cells) {
    this.set("legal", cells.map((cell) => {
      const [x, y] = place(cell);
      return draw("circle", { cx: x + 0.5, cy: y + 0.5, r: 0.16 });
    }));
  }

  wrong(cells) {
    this.set("wrong", cells.map((cell) => square(place(cell), {}, 0.06)));
  }

  /** Draws a piece that hangs on the pointer. */
  hand(cells, name, isLegal) {
    if (!cells.length) return this.set("hand", []);
    const state = isLegal ? "fits" : "fails";
    this.set("hand", [
      ...cells.filter(isOnBoard).map((cell) => square(cell, { class: `${name} ${state}` })),
      draw("path", { class: state, d: outline(cells) }),
    ]);
  }

  /** Draws moves that an engine thinks of, the best first, each with a label. */
  ghosts(ghosts) {
    const labelled = [];
    const room = ([x, y]) => Math.min(...labelled.map(([ox, oy]) => Math.hypot(x - ox, y - oy)));
    const groups = ghosts.map(({ cells, name, label, rank }) => {
      // Moves overlap; their labels need not.
      const [x, y] = cells.reduce((best, cell) => (room(cell) > room(best) ? cell : best));
      labelled.push([x, y]);
      const group = draw("g", { class: `ghost rank${rank} ${name}` });
      group.append(...cells.map((cell) => square(cell, { class: name })), draw("path", { d: outline(cells) }));
      // At the edge of the board, too, all of it is seen.
      const [width, height] = [LABEL_WIDTH * label.length, LABEL_HEIGHT];
      const [left, top] = [[x, width], [y, height]].map(([cell, size]) => Math.max(0, Math.min(SIZE - size, cell + 0.5 - size / 2)));
      const text = draw("text", { x: left + width / 2, y: top + height / 2 + 0.04 }, label);
      group.append(draw("rect", { class: "label", x: left, y: top, width, height, rx: height / 2 }), text);
      return group;
    });
    // The best is drawn last, over the others.
    this.set("ghosts", groups.reverse());
  }

  /** The place under a point of the window in cells, which may lie beyond the board. */
  placeAt(clientX, clientY) {
    const matrix = this.svg.getScreenCTM();
    return [(clientX - matrix.e) / matrix.a, (clientY - matrix.f) / matrix.d];
  }
}
