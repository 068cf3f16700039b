// The page of a league: standings, running games, the games of a player, versions and the cross table. Teams
// have a page for their uploads.

import { externalGames, home, pageOf } from "./connection.js";
import { button, byId, draw, make } from "./dom.js";
import { REFRESH, liveList, runningList } from "./elsewhere.js";
import { Settings, applyTheme } from "./settings.js";
import { Refused } from "./channel.js";
import { refusal, signed, switchLanguage, words } from "./words.js";

/** Maximum number of players in the cross table, and in the list of versions. */
const MAX_COLUMNS = 40;
/** Maximum size of a package in bytes. */
const MAX_BYTES = 50 * 2 ** 20;
/** Size of the drawing of versions. */
const [WIDTH, HEIGHT, MARGIN] = [320, 90, 12];

const text = words.standings;
const standings = make("section");
const table = make("section");
const versions = make("section");
const uploads = make("section");
const games = make("section", { "aria-live": "polite" });
const problem = make("p", { role: "status" });
let [shown, selected, names] = [null, null, new Map()];

const reason = (error) => text.refused[error.refusal] ?? refusal(error.refusal, error.message);
const showError = (error) => {
  problem.textContent = reason(error);
};
const nameOf = ({ name, version }) => (version === 1 ? name : `${name} v${version}`);
const count = (player) => player.games.reduce((sum, n) => sum + n);
const head = (...titles) =>
  make("tr", {}, ...titles.map(([title, kind = ""]) => make("th", { scope: "col", class: kind }, title)));
const cell = (content, kind = "") => make("td", { class: kind }, String(content));
const link = (label, action) => button(label, () => action().catch(showError), "link");

function row(player) {
  const [low, elo, high] = player.elo ?? [];
  return make(
    "tr",
    {},
    cell(player.rank ?? ""),
    make(
      "th",
      { scope: "row", class: "name" },
      link(nameOf(player), () => select(player.id)),
    ),
    cell(player.elo ? signed(elo) : "–"),
    cell(player.elo ? `${signed(low)} … ${signed(high)}` : "–", "wide"),
    cell(count(player)),
    cell(player.points, "wide"),
    cell(player.faults),
  );
}

function showStandings({ players }) {
  const titles = head(
    ["#"],
    [text.name, "name"],
    ["Elo"],
    [text.interval, "wide"],
    [text.games],
    [text.points, "wide"],
    [text.faults],
  );
  const ranked = players.filter((player) => player.rank !== null);
  const others = players.filter((player) => player.rank === null);
  const former = make(
    "details",
    {},
    make("summary", {}, text.removed),
    make("table", {}, titles.cloneNode(true), ...others.map(row)),
  );
  former.open = standings.querySelector("details")?.open ?? false;
  standings.replaceChildren(make("table", {}, titles, ...ranked.map(row)), ...(others.length ? [former] : []));
}

function showTable({ players, meetings }) {
  const ranked = players.filter((player) => player.rank !== null).slice(0, MAX_COLUMNS);
  const results = new Map();
  for (const {
    players: [a, b],
    games: [won, drawn, lost],
  } of meetings) {
    results.set(`${a} ${b}`, `${won}-${drawn}-${lost}`);
    results.set(`${b} ${a}`, `${lost}-${drawn}-${won}`);
  }
  const line = (player) =>
    make(
      "tr",
      {},
      cell(player.rank),
      make("th", { scope: "row", class: "name" }, nameOf(player)),
      ...ranked.map((other) => cell(results.get(`${player.id} ${other.id}`) ?? "")),
    );
  const titles = head(["#"], [text.name, "name"], ...ranked.map(({ rank }) => [String(rank)]));
  table.replaceChildren(
    make("h2", {}, text.table),
    make("small", {}, text.tableHelp),
    make("table", {}, titles, ...ranked.map(line)),
  );
}

const rating = (player) =>
  text.rating(
    nameOf(player),
    player.elo?.map((x) => signed(x)),
  );

/** Draws the ratings of a player's versions, the first on the left. */
function ratingLine(all) {
  const rated = all.filter(({ elo }) => elo);
  const low = Math.min(...rated.map(({ elo }) => elo[0]));
  const high = Math.max(...rated.map(({ elo }) => elo[2]), low + 1);
  const y = (elo) => HEIGHT - MARGIN - ((elo - low) / (high - low)) * (HEIGHT - 2 * MARGIN);
  const x = (i) => (rated.length > 1 ? MARGIN + (i / (rated.length - 1)) * (WIDTH - 2 * MARGIN) : WIDTH / 2);
  const stroke = { stroke: "currentColor", fill: "none", "stroke-width": 1.5 };
  const point = (player, i) =>
    draw(
      "g",
      {},
      draw("title", {}, `${rating(player)}, ${date(player.since)}`),
      draw("line", { x1: x(i), x2: x(i), y1: y(player.elo[0]), y2: y(player.elo[2]), ...stroke, opacity: 0.5 }),
      draw("circle", { cx: x(i), cy: y(player.elo[1]), r: 4, fill: "currentColor" }),
    );
  const line = draw("polyline", { points: rated.map(({ elo }, i) => `${x(i)},${y(elo[1])}`).join(" "), ...stroke });
  const label = rated.map((player) => rating(player)).join("; ");
  return draw(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label },
    line,
    ...rated.map(point),
  );
}

const date = (time) =>
  new Date(time).toLocaleString(document.documentElement.lang, { dateStyle: "short", timeStyle: "short" });

/** Draws the versions of a player, with a description. */
function versionItem(all) {
  const part = ({ version, elo, since }) =>
    make(
      "span",
      { title: date(since) },
      `v${version} ${elo ? `${signed(elo[1])} [${signed(elo[0])} … ${signed(elo[2])}]` : "–"}`,
    );
  const last = all.slice(-4).flatMap((player, i) => (i ? [", ", part(player)] : [part(player)]));
  const drawing = all.some(({ elo }) => elo) ? ratingLine(all) : null;
  return make(
    "figure",
    {},
    make(
      "figcaption",
      {},
      make("strong", {}, all[0].name),
      " ",
      make("small", {}, all.length > 4 ? "… " : "", ...last),
    ),
    drawing,
  );
}

/** Draws the players with several versions, the best first. */
function showVersions({ players }) {
  const byName = new Map();
  for (const player of players) byName.set(player.name, [...(byName.get(player.name) ?? []), player]);
  const changed = [...byName.values()].filter((all) => all.length > 1).slice(0, MAX_COLUMNS);
  changed.forEach((all) => all.sort((a, b) => a.version - b.version));
  versions.hidden = !changed.length;
  versions.replaceChildren(
    make("h2", {}, text.versions),
    make("small", {}, text.versionsHelp),
    make("div", { class: "figures" }, ...changed.map(versionItem)),
  );
}

const enter = (links) => location.assign(pageOf(links.find(({ role }) => role === "host").token));
const open = async (id) => enter(await externalGames.open(id));

const uploadPage = (token) => `${location.origin}/upload/${token}`;

/** Draws the upload links of teams for the host; folded, because others may see the page on a projector. */
function showTeams(teams) {
  if (!teams) return;
  const list = make("table");
  const status = make("p", { role: "status" });
  const name = make("input", { required: true, maxlength: 40, "aria-label": text.newTeam, placeholder: text.newTeam });
  const item = ([team, token]) =>
    make(
      "tr",
      {},
      make("th", { scope: "row", class: "name" }, team),
      make("td", {}, make("a", { href: uploadPage(token) }, uploadPage(token))),
    );
  const show = (known) => list.replaceChildren(...Object.entries(known).map(item));
  const add = async (event) => {
    event.preventDefault();
    try {
      show(await externalGames.addTeam(name.value));
      [name.value, status.textContent] = ["", ""];
    } catch (error) {
      status.textContent = reason(error);
    }
  };
  show(teams);
  uploads.replaceChildren(
    make(
      "details",
      {},
      make("summary", {}, text.uploads),
      make("small", {}, text.uploadsHelp),
      list,
      make("form", { class: "row", onsubmit: add }, name, make("button", {}, text.add)),
      status,
    ),
  );
}

/** Shows the page of a team. */
async function showUpload(token) {
  const known = make("div");
  const { name, versions: first } = await externalGames.team(token);
  const show = (all) => known.replaceChildren(all.length ? versionItem(all) : make("p", {}, text.noVersions));
  const update = async () => {
    // The next request may succeed.
    await externalGames
      .team(token)
      .then(({ versions: all }) => show(all))
      .catch(() => {});
    setTimeout(update, REFRESH);
  };
  document.title = text.uploadFor(name);
  const file = make("input", { type: "file", accept: ".zip", required: true });
  const submit = make("button", { class: "main" }, text.send);
  const send = async (event) => {
    event.preventDefault();
    submit.disabled = true;
    problem.textContent = "…";
    try {
      // The service closes the connection on a larger file, so that the page would not get its answer.
      if (file.files[0].size > MAX_BYTES) throw new Refused("zip_large", "");
      await externalGames.upload(token, file.files[0]);
      problem.textContent = text.sent;
    } catch (error) {
      showError(error);
    }
    submit.disabled = false;
  };
  byId("league").append(
    make("h1", {}, text.uploadFor(name)),
    make("form", { class: "row", onsubmit: send }, make("label", {}, text.package, " ", file), submit),
    problem,
    known,
  );
  show(first);
  setTimeout(update, REFRESH);
}

function gameItem({ id, ended, players, points, score, fault }) {
  const result = score === 1 ? text.won : score === 0 ? text.lost : text.drawn;
  const opponent = names.get(players[1]) ?? "?";
  const parts = [
    link(`${result} ${points.join(" : ")} – ${opponent}`, () => open(id)),
    " ",
    make("small", {}, date(ended)),
  ];
  if (fault) {
    const kind = text[fault.kind] ?? fault.kind;
    parts.push(make("div", {}, (fault.is_own ? text.ownFault : text.otherFault)(kind)), make("pre", {}, fault.detail));
  }
  return make("li", {}, ...parts);
}

async function select(id) {
  selected = id;
  const found = await externalGames.leagueGames(id);
  if (selected !== id) return;
  const title = make("h2", { tabindex: "-1" }, text.gamesOf(names.get(id) ?? "?"));
  games.replaceChildren(title, make("small", {}, text.losses), make("ul", {}, ...found.map(gameItem)));
  title.focus();
}

async function refresh() {
  try {
    const found = await externalGames.league();
    problem.textContent = found ? "" : text.none;
    if (found && JSON.stringify(found) !== shown) {
      shown = JSON.stringify(found);
      names = new Map(found.players.map((player) => [player.id, nameOf(player)]));
      showStandings(found);
      showVersions(found);
      showTable(found);
    }
  } catch (error) {
    showError(error);
  }
  setTimeout(refresh, REFRESH);
}

applyTheme(new Settings("look", { theme: "auto" }).theme);
document.title = `${words.title} – ${text.league}`;
const language = document.documentElement.lang === "de" ? "en" : "de";
const bar = [button(words.language, switchLanguage, "", { lang: language })];
const token = location.pathname.match(/^\/upload\/(.+)/)?.[1];
if (!token) bar.unshift(make("a", { href: home }, words.title));
byId("league").append(make("p", { class: "row" }, ...bar));
if (token) {
  showUpload(token).catch((error) => {
    byId("league").append(problem);
    showError(error);
  });
} else {
  const running = runningList(enter, showError);
  byId("league").append(
    make("h1", {}, text.league),
    problem,
    standings,
    running,
    liveList(showError),
    games,
    versions,
    table,
    uploads,
  );
  externalGames.teams().then(showTeams).catch(showError);
  refresh();
}
