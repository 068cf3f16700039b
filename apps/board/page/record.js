// The finished games of this device against each level, folded until somebody opens them.

import { ownRecord } from "./connection.js";
import { make } from "./dom.js";
import { table } from "./panel.js";
import { signed, words } from "./words.js";

/** An estimate between the ends of its interval. Infinite values are null. */
function estimate([low, elo, high]) {
  if (elo === null) return low === null ? `< ${signed(high)}` : `> ${signed(low)}`;
  return `${signed(elo)} (${low === null ? "−∞" : signed(low)} … ${high === null ? "∞" : signed(high)})`;
}

/** The folded list; `complain` shows an error. */
export function levelRecord(complain) {
  const content = make("div");
  const load = async () => {
    const record = await ownRecord();
    if (!record.length) return content.replaceChildren(make("p", { class: "help" }, words.noRecord));
    const hasElo = record.some(({ elo }) => elo);
    const row = ({ level, games, elo }) => make(
      "tr", {}, make("th", { scope: "row" }, words.level(level)), ...games.map((n) => make("td", {}, String(n))), hasElo ? make("td", {}, estimate(elo)) : null,
    );
    content.replaceChildren(
      table("summary", [words.opponentHead, words.wonGames, words.drawnGames, words.lostGames, ...(hasElo ? ["Elo"] : [])], record.map(row)),
      ...(hasElo ? [make("small", {}, words.eloHelp)] : []),
    );
  };
  return make("details", { class: "record", ontoggle: (event) => event.target.open && load().catch(complain) }, make("summary", {}, words.record), content);
}
