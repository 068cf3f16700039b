// The remaining pieces of the colours. Every piece has its place, so that nothing moves when one is gone.

import { make } from "./dom.js";
import { lying } from "./hand.js";
import { miniature } from "./piece.js";
import { pieceName, words } from "./words.js";

const picture = (piece, shapes, color) => miniature(shapes.shapes[piece.orientations[lying(piece, shapes)]], color);

/** Returns `true` if the page plays a colour. */
export const isOwn = ({ name, seat }, role) =>
  (role === "host" && seat.kind === "person") || (seat.kind === "guest" && role.includes(name[0]));

/** Returns the colour whose pieces the tray shows: the one to move, or the next one that is played here. */
export function ownColor(view, role) {
  const turn = Math.max(
    0,
    view.colors.findIndex((color) => color.name === view.color),
  );
  const order = [0, 1, 2, 3].map((i) => view.colors[(turn + i) % 4]);
  return (
    order.find((color) => isOwn(color, role) && color.in_play) ?? order.find((color) => isOwn(color, role)) ?? order[0]
  );
}

/** Returns `true` if a colour has no piece on the board. */
export const isFresh = (color, shapes) => color.remaining.length === shapes.pieces.length;

/** Returns the line above the pieces: which of them can be placed, and why no others. */
function note(view, shapes, color, usable, canTake) {
  if (!color.in_play) return color.remaining.length ? words.outNote : words.allPlaced;
  if (!canTake) return "";
  if (!isFresh(color, shapes)) return words.usable(usable.size, color.remaining.length);
  return view.start_piece ? words.firstDrawn(pieceName(view.start_piece)) : words.firstPiece;
}

/** Draws the pieces to take; a click or a key calls `take(name)`. */
export function tray(view, shapes, color, held, mayTake, take) {
  const usable = new Set(Object.keys(view.legal).map((shape) => shape.split("-")[0]));
  const canTake = mayTake && view.color === color.name;
  const button = (piece) =>
    make(
      "button",
      {
        class: `take ${color.remaining.includes(piece.name) ? "" : "gone"} ${held?.name === piece.name ? "held" : ""}`,
        type: "button",
        "aria-label": `${words[color.name]} ${piece.name}`,
        "aria-pressed": held?.name === piece.name ? "true" : "false",
        disabled: !canTake || !usable.has(piece.name),
        "data-piece": piece.name,
        onclick: () => take(piece.name),
      },
      picture(piece, shapes, color.name),
    );
  return make(
    "section",
    { class: `tray ${canTake ? "usable" : ""}`, "aria-label": words.pieces(words[color.name]) },
    make(
      "h2",
      {},
      make("i", { class: `key ${color.name}` }),
      words[color.name],
      make("small", {}, words.left(`${color.remaining.length}`)),
    ),
    make("p", { class: "note" }, note(view, shapes, color, usable, canTake)),
    make("div", { class: "pieces" }, ...[...shapes.pieces].reverse().map(button)),
  );
}

/** Draws the remaining pieces of all four colours, small. */
export function overview(view, shapes) {
  return view.colors.map((color) => {
    const isOnTurn = view.color === color.name;
    const pictures = [...shapes.pieces].reverse().map((piece) => {
      const svg = picture(piece, shapes, color.name);
      svg.classList.toggle("gone", !color.remaining.includes(piece.name));
      return svg;
    });
    return make(
      "section",
      {
        class: `stock ${isOnTurn ? "on-turn" : ""}`,
        "aria-label": `${words.pieces(words[color.name])}: ${color.remaining.join(", ")}`,
      },
      make(
        "h3",
        {},
        make("i", { class: `key ${color.name}` }),
        words[color.name],
        make("small", {}, color.in_play ? "" : words.out),
        make("b", { title: words.points }, String(color.points)),
      ),
      make("div", { class: "pieces" }, ...pictures),
    );
  });
}
