// The illegal move that ended a game, if the game server named it: `Setze PENTO_L(Farbe Blau)[3,4]`.

import { cellsOfMove, places } from "./piece.js";

const MOVE = /Setze (\w+)\(Farbe (\w+)\)\[(-?\d+),\s*(-?\d+)\]/;
const COLORS = { Blau: "BLUE", Gelb: "YELLOW", Rot: "RED", Grün: "GREEN" };

/**
 * Returns the cells of the refused move and those that break a rule. The server does not report the orientation, so this
 * is the one that breaks the rule on the most cells; null if there is none. `request` asks the host of the game.
 */
export async function refusedMove(view, shapes, request) {
  const [, name, german, x, y] = view.fault[2].match(MOVE) ?? [];
  const color = COLORS[german];
  const piece = shapes.pieces.find((one) => one.name === name);
  if (!piece || color !== view.color) return null;
  const found = [];
  for (const shape of new Set(piece.orientations)) {
    const { why } = await request({ type: "why", shape, x: Number(x), y: Number(y) });
    if (why) found.push({ color, cells: places(cellsOfMove(`${shape}@${x},${y}`, shapes)), wrong: why.cells });
  }
  return found.sort((a, b) => b.wrong.length - a.wrong.length)[0] ?? null;
}
