// The page of a league: standings, table of all against all, and the games of a player.

import { elsewhere, home, pageOf } from "./connection.js";
import { byId, make } from "./dom.js";
import { Settings, applyTheme } from "./settings.js";
import { refusal, signed, switchLanguage, words } from "./words.js";

/** Interval between two requests, in milliseconds. */
const REFRESH = 2000;
/** Maximum number of players in the table of all against all. */
const MOST_COLUMNS = 40;

const text = words.standings;
const standings = make("section");
const table = make("section");
const games = make("section", { "aria-live": "polite" });
const problem = make("p", { role: "status" });
let [shown, selected, names] = [null, null, new Map()];

const complain = (error) => { problem.textContent = refusal(error.refusal, error.message); };
const nameOf = ({ name, version }) => (version === 1 ? name : `${name} v${version}`);
const count = (player) => player.games.reduce((sum, n) => sum + n);
const head = (...titles) => make("tr", {}, ...titles.map(([title, kind = ""]) => make("th", { scope: "col", class: kind }, title)));
const cell = (content, kind = "") => make("td", { class: kind }, String(content));
const button = (label, action) => make("button", { type: "button", class: "link", onclick: () => action().catch(complain) }, label);

function row(player) {
  const [low, elo, high] = player.elo ?? [];
  return make(
    "tr", {},
    cell(player.rank ?? ""),
    make("th", { scope: "row", class: "name" }, button(nameOf(player), () => select(player.id))),
    cell(player.elo ? signed(elo) : "–"), cell(player.elo ? `${signed(low)} … ${signed(high)}` : "–", "wide"),
    cell(count(player)), cell(player.points), cell(player.faults),
  );
}

function showStandings({ players }) {
  const titles = head(["#"], [text.name, "name"], ["Elo"], [text.interval, "wide"], [text.games], [text.points], [text.faults]);
  const ranked = players.filter((player) => player.rank !== null);
  const others = players.filter((player) => player.rank === null);
  const former = make("details", {}, make("summary", {}, text.removed), make("table", {}, titles.cloneNode(true), ...others.map(row)));
  former.open = standings.querySelector("details")?.open ?? false;
  standings.replaceChildren(make("table", {}, titles, ...ranked.map(row)), ...(others.length ? [former] : []));
}

function showTable({ players, meetings }) {
  const ranked = players.filter((player) => player.rank !== null).slice(0, MOST_COLUMNS);
  const results = new Map();
  for (const { players: [a, b], games: [won, drawn, lost] } of meetings) {
    results.set(`${a} ${b}`, `${won}-${drawn}-${lost}`);
    results.set(`${b} ${a}`, `${lost}-${drawn}-${won}`);
  }
  const line = (player) => make(
    "tr", {}, cell(player.rank), make("th", { scope: "row", class: "name" }, nameOf(player)),
    ...ranked.map((other) => cell(results.get(`${player.id} ${other.id}`) ?? "")),
  );
  const titles = head(["#"], [text.name, "name"], ...ranked.map(({ rank }) => [String(rank)]));
  table.replaceChildren(make("h2", {}, text.table), make("small", {}, text.tableHelp), make("table", {}, titles, ...ranked.map(line)));
}

async function open(id) {
  const links = await elsewhere.open(id);
  location.assign(pageOf(links.find(({ role }) => role === "host").token));
}

function gameItem({ id, ended, players, points, score, fault }) {
  const result = score === 1 ? text.won : score === 0 ? text.lost : text.drawn;
  const opponent = names.get(players[1]) ?? "?";
  const parts = [button(`${result} ${points.join(" : ")} – ${opponent}`, () => open(id)), " ", make("small", {}, new Date(ended).toLocaleString(document.documentElement.lang))];
  if (fault) {
    const [isOwn, kind, detail] = fault;
    parts.push(make("div", {}, (isOwn ? text.ownFault : text.otherFault)(text[kind] ?? kind)), make("pre", {}, detail));
  }
  return make("li", {}, ...parts);
}

async function select(id) {
  selected = id;
  const found = await elsewhere.leagueGames(id);
  if (selected !== id) return;
  const title = make("h2", { tabindex: "-1" }, text.gamesOf(names.get(id) ?? "?"));
  games.replaceChildren(title, make("small", {}, text.losses), make("ul", {}, ...found.map(gameItem)));
  title.focus();
}

async function refresh() {
  try {
    const found = await elsewhere.league();
    problem.textContent = found ? "" : text.none;
    if (found && JSON.stringify(found) !== shown) {
      shown = JSON.stringify(found);
      names = new Map(found.players.map((player) => [player.id, nameOf(player)]));
      showStandings(found);
      showTable(found);
    }
  } catch (error) {
    complain(error);
  }
  setTimeout(refresh, REFRESH);
}

applyTheme(new Settings("look", { theme: "auto" }).theme);
document.title = `${words.title} – ${text.league}`;
const language = document.documentElement.lang === "de" ? "en" : "de";
byId("league").append(
  make("p", { class: "row" }, make("a", { href: home }, words.title), make("button", { type: "button", lang: language, onclick: switchLanguage }, words.language)),
  make("h1", {}, text.league), problem, standings, games, table,
);
refresh();
