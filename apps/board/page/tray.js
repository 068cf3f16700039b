// The pieces that the colours have left. Every piece has its place, so that nothing moves when one is gone.

import { draw, make } from "./dom.js";
import { lying } from "./hand.js";
import { words } from "./words.js";

function picture(piece, shapes, color) {
  const cells = shapes.shapes[piece.orientations[lying(piece, shapes)]];
  const [width, height] = [0, 1].map((axis) => 1 + Math.max(...cells.map((cell) => cell[axis])));
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, class: `piece ${color}`, "aria-hidden": "true" });
  svg.style.setProperty("--width", width);
  svg.append(...cells.map(([x, y]) => draw("rect", { x: x + 0.04, y: y + 0.04, width: 0.92, height: 0.92, rx: 0.08 })));
  return svg;
}

/** The colour whose pieces are at hand: the one on turn, or the next one that is played here. */
export function ownColor(view, role) {
  const isOwn = ({ name, seat }) =>
    (role === "host" && seat.kind === "person") || (seat.kind === "guest" && role.includes(name[0]));
  const turn = Math.max(0, view.colors.findIndex((color) => color.name === view.color));
  const order = [0, 1, 2, 3].map((i) => view.colors[(turn + i) % 4]);
  return order.find((color) => isOwn(color) && color.in_play) ?? order.find(isOwn) ?? order[0];
}

/** The pieces from which one is taken; `take(name)` is called for a click or a key. */
export function tray(view, shapes, color, held, take) {
  const usable = new Set(Object.keys(view.legal).map((shape) => shape.split("-")[0]));
  const canTake = view.may_move && view.color === color.name;
  const button = (piece) => make("button", {
    class: `take ${color.left.includes(piece.name) ? "" : "gone"} ${held?.name === piece.name ? "held" : ""}`, type: "button",
    "aria-label": `${words[color.name]} ${piece.name}`, "aria-pressed": held?.name === piece.name ? "true" : "false",
    disabled: !canTake || !usable.has(piece.name), "data-piece": piece.name, onclick: () => take(piece.name),
  }, picture(piece, shapes, color.name));
  const count = `${color.left.length}`;
  return make(
    "section", { class: `tray ${canTake ? "usable" : ""}`, "aria-label": words.pieces(words[color.name]) },
    make("h2", {}, make("i", { class: `key ${color.name}` }), words[color.name], make("small", {}, words.left(count))),
    make("div", { class: "pieces" }, ...[...shapes.pieces].reverse().map(button)),
  );
}

/** What all four colours have left, small. */
export function overview(view, shapes) {
  return view.colors.map((color) => {
    const isOnTurn = view.color === color.name;
    const pictures = [...shapes.pieces].reverse().map((piece) => {
      const svg = picture(piece, shapes, color.name);
      svg.classList.toggle("gone", !color.left.includes(piece.name));
      return svg;
    });
    return make(
      "section", { class: `stock ${isOnTurn ? "on-turn" : ""}`, "aria-label": `${words.pieces(words[color.name])}: ${color.left.join(", ")}` },
      make("h3", {}, make("i", { class: `key ${color.name}` }), words[color.name], make("small", {}, color.in_play ? "" : words.out),
        make("b", { title: words.points }, String(color.points))),
      make("div", { class: "pieces" }, ...pictures),
    );
  });
}
