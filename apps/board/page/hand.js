// The held piece: its orientation, grabbed cell and place.

import { middleOf } from "./board.js";

const extent = (cells, axis) => 1 + Math.max(...cells.map((cell) => cell[axis]));

/** The orientation of a piece in trays: the flattest. */
export function lying(piece, shapes) {
  const heights = piece.orientations.slice(0, 4).map((shape) => extent(shapes.shapes[shape], 1));
  return heights.indexOf(Math.min(...heights));
}

export class Hand {
  constructor(shapes) {
    this.shapes = shapes;
    this.pieces = new Map(shapes.pieces.map((piece) => [piece.name, piece]));
    this.piece = null;
    this.cell = [9, 9];
  }

  get isEmpty() {
    return this.piece === null;
  }

  /** Takes a piece as it lies in the tray, or else in the first orientation that fits somewhere. */
  take(name, view) {
    this.piece = this.pieces.get(name) ?? null;
    if (this.isEmpty) return;
    this.isShown = false;
    const flat = lying(this.piece, this.shapes);
    const orientations = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [(flat + i) % 4, i >= 4]);
    const fits = ([turns, isMirrored]) => view.legal[this.piece.orientations[turns + (isMirrored ? 4 : 0)]];
    [this.turns, this.isMirrored] = orientations.find(fits) ?? orientations[0];
    this.center();
  }

  drop() {
    this.piece = null;
  }

  /** The orientation as the name of a shape. Turned first, then mirrored: see the service's tables. */
  get shape() {
    return this.piece.orientations[this.turns + (this.isMirrored ? 4 : 0)];
  }

  get table() {
    return this.shapes.shapes[this.shape];
  }

  /** Holds the piece by the cell that is nearest to its middle. */
  center() {
    this.grip = middleOf(this.table);
  }

  /** A quarter turn clockwise as one sees it; a mirrored piece was turned before it was mirrored. */
  turn(quarters = 1) {
    this.turns = (this.turns + (this.isMirrored ? -quarters : quarters) + 8) % 4;
    this.settle();
  }

  mirror() {
    this.isMirrored = !this.isMirrored;
    this.settle();
  }

  /** In a new orientation it is held by another cell, and stays on the board. */
  settle() {
    this.center();
    this.moveTo(this.cell);
  }

  /** The upper left of the bounding box. */
  get corner() {
    return [this.cell[0] - this.grip[0], this.cell[1] - this.grip[1]];
  }

  get cells() {
    const [x, y] = this.corner;
    return this.table.map(([dx, dy]) => [x + dx, y + dy]);
  }

  /** Moves it to a cell, held so that it stays on the board. */
  moveTo([x, y]) {
    const keep = (value, axis) =>
      Math.max(this.grip[axis], Math.min(20 - extent(this.table, axis) + this.grip[axis], value));
    this.cell = [keep(x, 0), keep(y, 1)];
  }

  move(dx, dy) {
    this.moveTo([this.cell[0] + dx, this.cell[1] + dy]);
  }

  /** Moves it to the next legal place, or to the one before; returns `true` if there is one. */
  moveToPlace(view, by) {
    const cells = this.legalCells(view).sort((a, b) => a - b);
    if (!cells.length) return false;
    const here = this.cell[0] + 20 * this.cell[1];
    const next = by > 0 ? cells.find((cell) => cell > here) ?? cells[0] : cells.findLast((cell) => cell < here) ?? cells.at(-1);
    this.moveTo([next % 20, Math.floor(next / 20)]);
    return true;
  }

  get notation() {
    return `${this.shape}@${this.corner.join(",")}`;
  }

  isLegal(view) {
    const [x, y] = this.corner;
    return x >= 0 && y >= 0 && x < 20 && y < 20 && (view.legal[this.shape] ?? []).includes(x + 20 * y);
  }

  /** The legal places of the grabbed cell. */
  legalCells(view) {
    return (view.legal[this.shape] ?? []).map((corner) => corner + this.grip[0] + 20 * this.grip[1]);
  }
}
