// Small pictures of pieces and moves.

import { button, draw, make } from "./dom.js";
import { words } from "./words.js";

/** Cells in a row of the board. */
export const SIZE = 20;
/** Returns the number of the cell `[x, y]`. */
export const cellNumber = ([x, y]) => x + SIZE * y;
/** Returns a cell by its number as [x, y]. */
export const cellAt = (number) => [number % SIZE, Math.floor(number / SIZE)];

/** Returns the cell numbers of a move such as `PENTO_W-LEFT@3,4`; none for a pass. */
export function cellsOfMove(move, shapes) {
  const [shape, corner] = move.split("@");
  if (!corner) return [];
  const [x, y] = corner.split(",").map(Number);
  return (shapes.shapes[shape] ?? []).map(([dx, dy]) => cellNumber([x + dx, y + dy]));
}

/** Returns cell numbers as [x, y]. */
export const places = (cells) => cells.map(cellAt);

/** Draws cells, given as [x, y], cut to their size. */
export function miniature(cells, color) {
  const [left, top] = [0, 1].map((axis) => Math.min(...cells.map((cell) => cell[axis])));
  const [width, height] = [0, 1].map((axis) => 1 + Math.max(...cells.map((cell) => cell[axis])) - [left, top][axis]);
  const svg = draw("svg", {
    viewBox: `-.04 -.04 ${width + 0.08} ${height + 0.08}`,
    class: `piece ${color}`,
    "aria-hidden": "true",
  });
  svg.style.setProperty("--width", width);
  svg.append(...cells.map(([x, y]) => draw("rect", { x: x - left, y: y - top, width: 1, height: 1 })));
  return svg;
}

/** Returns a move in words, for screen readers. */
export function spoken(color, move) {
  const [shape, corner] = move.split("@");
  return corner ? words.placed(words[color], shape.split("-")[0], ...corner.split(",")) : words.passed(words[color]);
}

/** Draws a move from its cell numbers; its name appears on hover. */
export const picture = (color, move, cells) =>
  make(
    "span",
    { class: "mini", title: move },
    cells.length ? miniature(places(cells), color) : make("i", { class: `key ${color}` }),
    cells.length ? null : words.pass,
  );

/** Creates a button that shows a played move on the board. */
export const moveButton = ({ color, move, cells }, onclick, attributes = {}) =>
  button(picture(color, move, cells), onclick, "linemove", { "aria-label": spoken(color, move), ...attributes });
