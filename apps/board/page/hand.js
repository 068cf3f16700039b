// A piece in the hand: which, how it is turned, by which of its cells it is held, and where it is.

const extent = (cells, axis) => 1 + Math.max(...cells.map((cell) => cell[axis]));

/** Which of the orientations of a piece is drawn in trays: the flattest. */
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

  take(name) {
    this.piece = this.pieces.get(name) ?? null;
    if (this.isEmpty) return;
    this.turns = lying(this.piece, this.shapes);
    this.isMirrored = false;
    this.isShown = false;
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
    const cells = this.table;
    const middle = [0, 1].map((axis) => cells.reduce((sum, cell) => sum + cell[axis], 0) / cells.length);
    const distance = (cell) => (cell[0] - middle[0]) ** 2 + (cell[1] - middle[1]) ** 2;
    this.grip = cells.reduce((best, cell) => (distance(cell) < distance(best) ? cell : best));
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

  /** Where the upper left of the bounding box is. */
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

  get notation() {
    return `${this.shape}@${this.corner.join(",")}`;
  }

  isLegal(view) {
    const [x, y] = this.corner;
    return x >= 0 && y >= 0 && x < 20 && y < 20 && (view.legal[this.shape] ?? []).includes(x + 20 * y);
  }

  /** The cells that legal places of the piece as it is held would cover with the cell by which it is held. */
  legalCells(view) {
    return (view.legal[this.shape] ?? []).map((corner) => corner + this.grip[0] + 20 * this.grip[1]);
  }
}
