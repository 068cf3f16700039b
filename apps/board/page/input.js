// Mouse, fingers and keys, as they move the piece in the hand.

import { SIZE, cellNumber } from "./piece.js";
import { Wheel } from "./wheel.js";

/** Distance after which a pointer drags, in pixels. */
const DRAG = 8;
/** Time after which a resting finger mirrors, in milliseconds. */
const HOLD = 500;
/** Cells between the finger and a piece from the tray, so that the finger does not hide it. */
const LIFT = 2;

/** Keys that take a piece of this size. */
const DIGITS = "12345";

const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Lets the game be played on its board and tray. Listens until `signal` ends it. */
export class Input {
  constructor(game, tray, signal) {
    Object.assign(this, { game, board: game.board, press: null, rolled: new Wheel() });
    const { svg } = this.board;
    const on = (target, name, act, options = {}) => target.addEventListener(name, act, { signal, ...options });
    on(svg, "pointermove", (event) => this.hover(event));
    on(svg, "pointerleave", (event) => this.leave(event));
    on(svg, "pointerdown", (event) => this.down(event));
    on(svg, "contextmenu", (event) => this.mirror(event));
    on(svg, "wheel", (event) => this.wheel(event), { passive: false });
    on(tray, "pointerdown", (event) => this.lift(event));
    on(window, "pointermove", (event) => this.drag(event));
    on(window, "pointerup", (event) => this.up(event));
    on(window, "pointercancel", () => (this.press = null));
    on(window, "keydown", (event) => this.key(event));
    // The board gets the focus with every piece; only those who use keys need to see it.
    const useKeys = (isUsed) => document.body.classList.toggle("keys", isUsed);
    on(window, "keydown", () => useKeys(true), { capture: true });
    on(window, "pointerdown", () => useKeys(false), { capture: true });
  }

  get hand() {
    return this.game.hand;
  }

  cellAt(event, lift = 0) {
    const [x, y] = this.board.placeAt(event.clientX, event.clientY);
    return [Math.floor(x), Math.floor(y - lift)];
  }

  show(cell, isFree) {
    this.hand.isShown = true;
    if (isFree) this.hand.cell = cell;
    else this.hand.moveTo(cell);
    this.game.drawHand();
  }

  /** A mouse carries the piece without being pressed. */
  hover(event) {
    if (!this.hand.isEmpty && event.pointerType === "mouse" && !this.press) this.show(this.cellAt(event), true);
  }

  leave(event) {
    if (this.hand.isEmpty || event.pointerType !== "mouse" || this.press) return;
    this.hand.isShown = false;
    this.game.drawHand();
  }

  /** On the board: a mouse places at once, a finger drags the piece from where it lies, or to where it taps. */
  down(event) {
    if (this.hand.isEmpty || event.button !== 0) return;
    event.preventDefault();
    if (event.pointerType === "mouse") {
      this.show(this.cellAt(event), true);
      this.game.place();
      return;
    }
    const cell = this.cellAt(event);
    // A tap beside the piece belongs to it, unless there is a dot.
    const isDot = this.hand.legalCells(this.game.view).includes(cellNumber(cell));
    const reach = isDot ? 0 : 1;
    const isOn =
      this.hand.isShown &&
      this.hand.cells.some(([x, y]) => Math.abs(x - cell[0]) <= reach && Math.abs(y - cell[1]) <= reach);
    if (!isOn) this.show(cell, false);
    const offset = [this.hand.cell[0] - cell[0], this.hand.cell[1] - cell[1]];
    this.press = {
      id: event.pointerId,
      x: event.clientX,
      y: event.clientY,
      time: event.timeStamp,
      isOn,
      offset,
      drags: false,
    };
  }

  /** On the tray: the piece can be pulled out to the board. */
  lift(event) {
    const piece = event.target.closest?.("button.take:enabled")?.dataset.piece;
    if (!piece || event.button !== 0) return;
    this.press = { id: event.pointerId, x: event.clientX, y: event.clientY, piece, drags: false };
    // Else the finger would keep the button as its target.
    if (event.target.hasPointerCapture?.(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
  }

  drag(event) {
    const { press } = this;
    if (!press || press.id !== event.pointerId) return;
    if (!press.drags) {
      if (Math.hypot(event.clientX - press.x, event.clientY - press.y) < DRAG) return;
      press.drags = true;
      if (press.piece && this.hand.piece?.name !== press.piece) this.game.take(press.piece);
    }
    if (this.hand.isEmpty) return;
    if (press.offset) {
      const [x, y] = this.cellAt(event);
      this.show([x + press.offset[0], y + press.offset[1]], false);
      return;
    }
    const cell = this.cellAt(event, event.pointerType === "mouse" ? 0 : LIFT);
    const isNear = cell.every((value) => value >= -1 && value <= SIZE);
    this.hand.isShown = isNear;
    if (isNear) this.hand.moveTo(cell);
    this.game.drawHand();
  }

  up(event) {
    const { press } = this;
    if (!press || press.id !== event.pointerId) return;
    this.press = null;
    if (press.drags && press.piece) {
      // The click that may follow at once would put the piece back.
      const swallow = (click) => click.stopPropagation();
      window.addEventListener("click", swallow, { capture: true });
      setTimeout(() => window.removeEventListener("click", swallow, { capture: true }), 0);
      if (event.pointerType === "mouse" && this.hand.isShown) this.game.place();
    } else if (!press.drags && press.isOn) {
      this.game.change((hand) => (event.timeStamp - press.time > HOLD ? hand.mirror() : hand.turn()));
    }
  }

  mirror(event) {
    event.preventDefault();
    // A long press of a finger comes here, too, and is counted when it ends.
    if (event.pointerType !== "touch") this.game.change((hand) => hand.mirror());
  }

  wheel(event) {
    if (this.hand.isEmpty) return;
    event.preventDefault();
    const notch = this.rolled.notch(event);
    if (notch) this.game.change((hand) => hand.turn(notch));
  }

  key(event) {
    const { hand, game } = this;
    if (!game.view || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.("input, textarea, select, dialog")) return;
    const isOnButton = event.target.closest?.("button, a, summary");
    if (DIGITS.includes(event.key)) {
      game.takeOfSize(Number(event.key));
    } else if (hand.isEmpty) {
      const keys = {
        ArrowLeft: () => game.step(-1),
        ArrowRight: () => game.step(1),
        Home: () => game.toEnd(false),
        End: () => game.toEnd(true),
        Escape: () => game.closeCard?.(),
      };
      if (!keys[event.key]) return;
      keys[event.key]();
    } else if (KEYS[event.key]) {
      hand.isShown = true;
      game.change((held) => held.move(...KEYS[event.key]));
    } else if (event.key === "Enter" && !isOnButton) {
      game.place();
    } else if ((event.key === " " && !isOnButton) || event.key === "Backspace") {
      hand.isShown = true;
      game.change((held) => held.moveToPlace(game.view, event.key === " " && !event.shiftKey ? 1 : -1));
    } else {
      const keys = {
        r: (held) => held.turn(),
        R: (held) => held.turn(-1),
        f: (held) => held.mirror(),
        F: (held) => held.mirror(),
        Escape: (held) => held.drop(),
      };
      if (!keys[event.key]) return;
      game.change(keys[event.key]);
    }
    event.preventDefault();
  }
}
