// The board as a drawing: 20 by 20 cells of ten units each, with a border for the coordinates.

import { draw } from "./dom.js";
import { words } from "./words.js";

const SIZE = 20;
const CELL = 10;
const BORDER = 6;
export const COLORS = { B: "BLUE", Y: "YELLOW", R: "RED", G: "GREEN" };

const square = (cell, attributes, inset = 0) =>
  draw("rect", {
    x: (cell % SIZE) * CELL + inset, y: Math.floor(cell / SIZE) * CELL + inset,
    width: CELL - 2 * inset, height: CELL - 2 * inset, ...attributes,
  });

export class Board {
  constructor(parent) {
    this.layers = {};
    const side = SIZE * CELL + 2 * BORDER;
    this.svg = draw("svg", {
      viewBox: `${-BORDER} ${-BORDER} ${side} ${side}`, class: "board", role: "img", "aria-label": words.board, tabindex: 0,
    });
    this.svg.append(draw("rect", { width: SIZE * CELL, height: SIZE * CELL, class: "ground" }));
    for (const name of ["grid", "territory", "cells", "last", "anchors", "ghosts", "legal", "letters", "wrong", "hand"]) {
      this.layers[name] = draw("g", { class: name });
      this.svg.append(this.layers[name]);
    }
    this.grid();
    parent.append(this.svg);
  }

  grid() {
    const lines = [];
    for (let i = 0; i <= SIZE; i++) {
      lines.push(`M${i * CELL} 0V${SIZE * CELL}`, `M0 ${i * CELL}H${SIZE * CELL}`);
    }
    this.layers.grid.append(draw("path", { d: lines.join("") }));
    for (let i = 0; i < SIZE; i++) {
      const middle = i * CELL + CELL / 2;
      this.layers.grid.append(
        draw("text", { x: middle, y: -1.8 }, String(i)),
        draw("text", { x: -2.8, y: middle + 1.4 }, String(i)),
      );
    }
  }

  set(name, elements) {
    this.layers[name].replaceChildren(...elements);
  }

  /** Draws what lies on the board. */
  show(view, letters) {
    const covered = [...view.board].flatMap((letter, cell) => (letter === "." ? [] : [[cell, letter]]));
    this.set("cells", covered.map(([cell, letter]) => square(cell, { class: COLORS[letter] })));
    const text = ([cell, letter]) =>
      draw("text", { x: (cell % SIZE) * CELL + 5, y: Math.floor(cell / SIZE) * CELL + 7.2, class: `on-${COLORS[letter]}` }, letter);
    this.set("letters", letters ? covered.map(text) : []);
    this.set("last", (view.last?.cells ?? []).map((cell) => square(cell, {}, 3.4)));
    const last = view.last ? words.moved(words[view.last.color], view.last.move) : "";
    this.svg.setAttribute("aria-label", `${words.board}. ${last}`);
  }

  /** Marks the cells that colours must touch with their next piece. */
  anchors(colors) {
    const dot = (cell, name) =>
      draw("circle", { cx: (cell % SIZE) * CELL + 5, cy: Math.floor(cell / SIZE) * CELL + 5, r: 1.6, class: name });
    this.set("anchors", colors.flatMap((color) => color.anchors.map((cell) => dot(cell, color.name))));
  }

  /** Shades where a colour can still go; stronger where nobody else can. */
  territory(color, name) {
    if (!color) return this.set("territory", []);
    const sealed = new Set(color.sealed);
    this.set("territory", color.reach.map((cell) => square(cell, { class: `${name} ${sealed.has(cell) ? "sealed" : ""}` })));
  }

  /** Marks the cells that legal places of the held piece would cover. */
  legal(cells) {
    this.set("legal", cells.map((cell) => square(cell, {}, 3.8)));
  }

  wrong(cells) {
    this.set("wrong", cells.map((cell) => square(cell, {}, 0.5)));
  }

  /** Draws a piece that hangs on the pointer. */
  hand(cells, name, isLegal) {
    const onBoard = cells.filter(([x, y]) => x >= 0 && y >= 0 && x < SIZE && y < SIZE);
    this.set("hand", onBoard.map(([x, y]) => square(x + SIZE * y, { class: `${name} ${isLegal ? "fits" : "fails"}` })));
  }

  /** Draws moves that an engine thinks of, each with a label. */
  ghosts(ghosts) {
    this.set("ghosts", ghosts.flatMap(({ cells, name, label, rank }) => {
      const [x, y] = cells[0];
      const group = draw("g", { class: `ghost rank${rank}` });
      group.append(...cells.map(([cx, cy]) => square(cx + SIZE * cy, { class: name }, 0.8)));
      group.append(draw("text", { x: x * CELL + 5, y: y * CELL + 6.8 }, label));
      return [group];
    }));
  }

  /** The cell under a point of the window, which may lie beyond the board. */
  cellAt(clientX, clientY) {
    const box = this.svg.getBoundingClientRect();
    const scale = (SIZE * CELL + 2 * BORDER) / box.width;
    const cell = (client, start) => Math.floor(((client - start) * scale - BORDER) / CELL);
    return [cell(clientX, box.left), cell(clientY, box.top)];
  }
}

/** The cells of a move in our notation, such as `PENTO_W-LEFT@3,4`; none for a pass. */
export function cellsOfMove(move, shapes) {
  const [shape, corner] = move.split("@");
  if (!corner) return [];
  const [x, y] = corner.split(",").map(Number);
  const table = shapes.shapes[shape] ?? [];
  return table.map(([dx, dy]) => [x + dx, y + dy]);
}
