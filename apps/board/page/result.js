// The card at the end of a game: the result, the reason, and the next steps.

import { button, make } from "./dom.js";
import { ending, player } from "./panel.js";
import { isOwn } from "./tray.js";
import { percent, words } from "./words.js";

/** Returns the team that the page plays; null if it plays none or both. */
export function ownTeam(view, role) {
  const teams = new Set(view.colors.filter((color) => isOwn(color, role)).map((color) => color.team));
  return teams.size === 1 ? [...teams][0] : null;
}

/** Returns the result from the view of the team that plays here. */
function headline(view, role) {
  const own = ownTeam(view, role);
  const points =
    view.rules === "classic-4" ? view.colors.map((color) => color.points) : view.teams.map((team) => team.points);
  if (view.result === "drawn") return `${words.draw} ${points.join(":")}`;
  if (view.rules === "classic-4") return `${words.won(words[view.result])} ${points.join(":")}`;
  if (!own) return words.won(words[view.result]);
  if (view.fault) return view.result === own ? words.youWon("") : words.youLost("");
  const mine = own === "ONE" ? points : [...points].reverse();
  return (view.result === own ? words.youWon : words.youLost)(mine.join(":"));
}

/** Returns a paragraph with a link to the move that cost its team most, or null if no move is marked. */
export function decisive(review, line, go) {
  const worst = [...review.moves].sort((a, b) => b.loss - a.loss)[0];
  const number = line.findIndex((ply) => ply.node === worst?.node);
  if (!worst?.mark || number < 0) return null;
  const text = words.decisive(words[worst.team], number, percent(worst.before), percent(worst.after));
  return make(
    "p",
    {},
    button(text, () => go(worst.node), "link"),
  );
}

/** Creates the card; `on` has its actions: `analyse`, `again(isSwapped)`, `go(node)`, `close`. */
export function resultCard(view, role, review, on) {
  // If the headline takes no side, the points stand between the names.
  const between =
    ownTeam(view, role) || view.fault || view.result === "drawn"
      ? "–"
      : view.teams.map((team) => team.points).join(":");
  const names =
    view.rules === "classic-4"
      ? ""
      : [0, 1].map((i) => player(view, i, role) || words[view.teams[i].name]).join(` ${between} `);
  return make(
    "section",
    { class: "result", "aria-labelledby": "resulttitle" },
    button("✕", on.close, "close"),
    make("h2", { id: "resulttitle" }, headline(view, role)),
    make("p", {}, names),
    view.fault ? make("p", {}, ending(view)) : null,
    review && decisive(review, view.line, on.go),
    role === "host"
      ? make(
          "div",
          { class: "row" },
          button(words.analyseShort, on.analyse, "main"),
          button(words.again, () => on.again(false)),
          button(words.swap, () => on.again(true)),
        )
      : null,
  );
}
