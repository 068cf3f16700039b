// The finished games of this device against each level, in a list that opens on request.

import { recentGames } from "./connection.js";
import { make } from "./dom.js";
import { table } from "./panel.js";
import { signed, words } from "./words.js";

/** Number of counted games, the newest ones. */
const COUNTED = 2000;

/** 97.5 % quantile of the normal distribution. */
const QUANTILE = 1.96;

const OUTCOMES = ["ONE", "drawn", "TWO"];

/** Counts the won, drawn and lost games of people here by level, the lowest first. Games that cannot be read have no seats. */
export function countByLevel(games) {
  const levels = new Map();
  for (const { seats = [], result, rules } of games) {
    if (rules === "classic-4") continue;
    const outcome = OUTCOMES.indexOf(result);
    const plays = (team, kind) => [seats[team], seats[team + 2]].every((seat) => seat?.kind === kind);
    const own = [0, 1].find((team) => plays(team, "person") && plays(1 - team, "level"));
    if (own === undefined || outcome < 0 || seats[1 - own].level !== seats[3 - own].level) continue;
    const { level } = seats[1 - own];
    if (!levels.has(level)) levels.set(level, [0, 0, 0]);
    levels.get(level)[own === 0 ? outcome : 2 - outcome] += 1;
  }
  return [...levels].sort(([a], [b]) => a - b);
}

/** Returns the Elo difference to a level with its 95 % interval, from Wilson's interval of the score. */
export function estimate([won, drawn, lost]) {
  const count = won + drawn + lost;
  const score = (won + drawn / 2) / count;
  const middle = score + QUANTILE ** 2 / (2 * count);
  const half = QUANTILE * Math.sqrt((score * (1 - score)) / count + (QUANTILE / (2 * count)) ** 2);
  const [low, elo, high] = [
    (middle - half) / (1 + QUANTILE ** 2 / count),
    score,
    (middle + half) / (1 + QUANTILE ** 2 / count),
  ].map((share) => 400 * Math.log10(share / (1 - share)));
  if (score === 0) return `< ${signed(high)}`;
  return score === 1 ? `> ${signed(low)}` : `${signed(elo)} (${signed(low)} … ${signed(high)})`;
}

/** Returns `true` if the table has a row. The newest games, `recent`, usually decide without the others. */
export const hasRecord = async (recent) =>
  countByLevel(recent).length > 0 || countByLevel(await recentGames(COUNTED)).length > 0;

/** Creates the list, hidden at first; `showError` shows an error. */
export function levelRecord(showError) {
  const content = make("div");
  const load = async () => {
    const levels = countByLevel(await recentGames(COUNTED));
    const row = ([level, games]) =>
      make(
        "tr",
        {},
        make("th", { scope: "row" }, words.level(level)),
        ...games.map((n) => make("td", {}, String(n))),
        make("td", {}, estimate(games)),
      );
    content.replaceChildren(
      table("summary", [words.opponentHead, words.wonGames, words.drawnGames, words.lostGames, "Elo"], levels.map(row)),
      make("small", {}, words.eloHelp),
    );
  };
  return make(
    "details",
    { class: "record", hidden: true, ontoggle: (event) => event.target.open && load().catch(showError) },
    make("summary", {}, words.record),
    content,
  );
}
