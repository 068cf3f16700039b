// How to play: the rules of the contest on one screen.

import { show } from "./dialogs.js";
import { button, draw, make } from "./dom.js";
import { words } from "./words.js";

const NAMES = { B: "BLUE", Y: "YELLOW", R: "RED", G: "GREEN", "+": "dot", "-": "start", x: "no" };

/** Draws a small board from lines of letters: colours, `+` for a legal cell, `x` for a forbidden one, `-` for a start cell. */
function figure(lines) {
  const [width, height] = [lines[0].length, lines.length];
  const svg = draw(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, class: "figure", "aria-hidden": "true" },
    draw("rect", { width, height, class: "ground" }),
  );
  lines.forEach((line, y) =>
    [...line].forEach((letter, x) => {
      svg.append(draw("rect", { x, y, width: 1, height: 1, class: `cell ${NAMES[letter] ?? ""}` }));
      if (letter === "+") svg.append(draw("circle", { cx: x + 0.5, cy: y + 0.5, r: 0.2 }));
      if (letter === "x") svg.append(draw("path", { d: `M${x + 0.25} ${y + 0.25}l.5 .5m0 -.5l-.5 .5` }));
    }),
  );
  return svg;
}

const FIGURES = [
  ["BB.....YY", ".B......Y", ".........", ".........", ".........", "G.......R", "GG.....RR"],
  ["BBBBB----", "-.......-", "-.......-", "-.......-", "-.......-", "-.......-", "---------"],
  ["..x......", ".xBx+....", ".xBBx....", ".+xxBB...", ".....B...", "....+.+..", "........."],
  ["BB.....BB", ".BB...BB.", "..B...B..", ".........", "..B......", ".BB......", "BB......."],
  ["BBYYYRR..", "BYYGGRR..", "BBGGGRYY.", "RBBGYYYRR", "RRBBBYGGR", "GRRYBBGGG", "GGYYYBRRR"],
  ["BBBBBBB..", "BBBBBBB..", "RRRRR....", ".........", "YYYYYYYY.", "GGGGGGG..", "GGGGGGG.."],
];

/** Shows the rules. */
export const showRules = () =>
  show(
    (finish) => [
      make("h2", {}, words.howTo),
      make(
        "ol",
        { class: "howto" },
        ...words.rulesOfPlay.map(([title, text], i) =>
          make("li", {}, figure(FIGURES[i]), make("div", {}, make("h3", {}, title), make("p", {}, text))),
        ),
      ),
      make(
        "div",
        { class: "row" },
        button(words.understood, () => finish(null), "main"),
      ),
    ],
    { class: "wide", closedby: "any" },
  );
