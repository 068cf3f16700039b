// The held piece: its orientation, grabbed cell and place.

import { middleOf } from "./board.js";
import { SIZE, cellAt, cellNumber } from "./piece.js";

const extent = (cells, axis) => 1 + Math.max(...cells.map((cell) => cell[axis]));

/** Returns the flattest orientation of a piece, as trays show it. */
export function lying(piece, shapes) {
  const heights = piece.orientations.slice(0, 4).map((shape) => extent(shapes.shapes[shape], 1));
  return heights.indexOf(Math.min(...heights));
}

/** Returns the index of an orientation. Turned first, then mirrored: see the service's tables. */
const orientation = (turns, isMirrored) => turns + (isMirrored ? 4 : 0);

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
    const fits = ([turns, isMirrored]) => view.legal[this.piece.orientations[orientation(turns, isMirrored)]];
    [this.turns, this.isMirrored] = orientations.find(fits) ?? orientations[0];
    this.center();
  }

  drop() {
    this.piece = null;
  }

  /** The orientation as the name of a shape. */
  get shape() {
    return this.piece.orientations[orientation(this.turns, this.isMirrored)];
  }

  get table() {
    return this.shapes.shapes[this.shape];
  }

  /** Grabs the cell nearest to the middle of the piece. */
  center() {
    this.grip = middleOf(this.table);
  }

  /** Turns the piece clockwise as shown; a mirrored piece was turned before it was mirrored. */
  turn(quarters = 1) {
    this.turns = (this.turns + (this.isMirrored ? -quarters : quarters) + 8) % 4;
    this.settle();
  }

  mirror() {
    this.isMirrored = !this.isMirrored;
    this.settle();
  }

  /** Updates the grabbed cell after a turn or mirror and keeps the piece on the board. */
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

  /** Moves the grabbed cell, clamped so that the piece stays on the board. */
  moveTo([x, y]) {
    const clamp = (value, axis) =>
      Math.max(this.grip[axis], Math.min(SIZE - extent(this.table, axis) + this.grip[axis], value));
    this.cell = [clamp(x, 0), clamp(y, 1)];
  }

  move(dx, dy) {
    this.moveTo([this.cell[0] + dx, this.cell[1] + dy]);
  }

  /** Moves it to the next legal place, or to the one before; returns `true` if there is one. */
  moveToPlace(view, by) {
    const cells = this.legalCells(view).sort((a, b) => a - b);
    if (!cells.length) return false;
    const here = cellNumber(this.cell);
    const next =
      by > 0
        ? (cells.find((cell) => cell > here) ?? cells[0])
        : (cells.findLast((cell) => cell < here) ?? cells.at(-1));
    this.moveTo(cellAt(next));
    return true;
  }

  get notation() {
    return `${this.shape}@${this.corner.join(",")}`;
  }

  isLegal(view) {
    const isInside = this.corner.every((value) => value >= 0 && value < SIZE);
    return isInside && (view.legal[this.shape] ?? []).includes(cellNumber(this.corner));
  }

  /** Returns the numbers of the legal places of the grabbed cell. */
  legalCells(view) {
    return (view.legal[this.shape] ?? []).map((corner) => corner + cellNumber(this.grip));
  }
}
