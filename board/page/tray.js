// The pieces that the colours have left.

import { draw, make } from "./dom.js";
import { words } from "./words.js";

function picture(piece, shapes, color) {
  const cells = shapes.shapes[piece];
  const [width, height] = [0, 1].map((axis) => 1 + Math.max(...cells.map((cell) => cell[axis])));
  const svg = draw("svg", { viewBox: `-0.1 -0.1 ${width + 0.2} ${height + 0.2}`, class: `piece ${color}`, "aria-hidden": "true" });
  svg.style.setProperty("--width", width + 0.2);
  svg.append(...cells.map(([x, y]) => draw("rect", { x: x + 0.04, y: y + 0.04, width: 0.92, height: 0.92 })));
  return svg;
}

/** The trays of all colours; pieces of the colour on turn can be taken if one may move. */
export function trays(view, shapes, held, take) {
  return view.colors.map((color) => {
    const isOnTurn = view.color === color.name;
    const usable = new Set(Object.keys(view.legal).map((shape) => shape.split("-")[0]));
    const button = (piece) => {
      const canTake = isOnTurn && view.may_move;
      const attributes = {
        class: `take ${held === piece && isOnTurn ? "held" : ""}`, type: "button", "aria-label": `${words[color.name]} ${piece}`,
        disabled: !canTake || !usable.has(piece), "data-piece": piece,
        // Without a pointer that hovers, the piece has to be somewhere.
        onclick: (event) => take(piece, event.detail === 0 || event.pointerType === "touch"),
      };
      return make("button", attributes, picture(piece, shapes, color.name));
    };
    const seat = color.seat.kind === "level" ? words.level(color.seat.level) : color.seat.kind === "guest" ? words.guest : color.seat.name ?? "";
    const state = color.in_play ? "" : words.out;
    return make(
      "section", { class: `tray ${isOnTurn ? "on-turn" : ""}`, "aria-label": words.pieces(words[color.name]) },
      make("h3", {}, make("i", { class: `key ${color.name}` }), words[color.name], make("small", {}, [seat, state].filter(Boolean).join(", ")),
        make("b", {}, `${color.points}`)),
      make("div", { class: "pieces" }, ...[...color.left].reverse().map(button)),
    );
  });
}
