// Shows one of `report.games` on the board of the crate picture (`paintBoard`). Games of a tournament have `sides`, the
// indices of their players in `report.names`.

// The position after `ply` moves of game number `chosen`.
let chosen = 0;
let ply = 0;

// The numbers of the games in the list.
let listed = [];

const versus = (game) => game.sides?.map((side) => report.names[side]).join(" – ");

function show() {
  const game = report.games[chosen];
  const covered = game.start.map((cells) => [...cells]);
  const points = covered.map((cells) => cells.length);
  for (const move of game.plies.slice(0, ply)) {
    covered[move.color].push(...move.cells);
    points[move.color] = move.points;
  }
  const last = ply > 0 ? game.plies[ply - 1] : null;
  const title = `Game ${game.id} after ${ply} of ${game.plies.length} moves`;
  const description = COLORS.map(({ name }, color) => `${name}: ${points[color]} points`).join(", ");
  paintBoard(document.querySelector("svg.blokus"), { covered, last: last?.cells, title, description });
  const slider = byId("slider");
  slider.max = game.plies.length;
  slider.value = ply;
  const who = game.sides ? `, ${versus(game)}` : "";
  byId("game-title").textContent =
    `Game ${game.id}, pair ${game.pair}${who}: ${game.points.join(" : ")}, ${game.verdict}`;
  byId("move").textContent = last
    ? describe(last)
    : `Start${game.start_piece ? ", start piece " + game.start_piece : ""}`;
  fillScore(game, points);
  drawCourse(game);
  document
    .querySelectorAll("tr[data-game]")
    .forEach((line) => line.classList.toggle("chosen", Number(line.dataset.game) === chosen));
}

function describe(move) {
  const parts = [`Turn ${move.turn}: ${COLORS[move.color].name} ${move.text}`];
  if (move.ms !== null) parts.push(`${move.ms} ms`);
  if (move.nodes) parts.push(`${move.nodes} node${move.nodes > 1 ? "s" : ""}`);
  if (move.win_of_a !== null)
    parts.push(`A expects ${(100 * move.win_of_a).toFixed(0)} %, ${signed(move.margin_of_a, 1)} points`);
  return parts.join(", ");
}

function fillScore(game, points) {
  const table = byId("score");
  table.replaceChildren();
  row(table, ["side", "colours", "points"], "th");
  for (const side of [0, 1]) {
    const team = (side === 0) === (game.a_is === "ONE") ? "ONE" : "TWO";
    const own = COLORS.map((color, i) => ({ ...color, points: points[i] })).filter((color) => color.team === team);
    const line = row(table, ["AB"[side], "", own[0].points + own[1].points]);
    for (const color of own) {
      make(
        line.children[1],
        "span",
        { class: "key", style: `background: ${color.fill}; color: ${color.ink}` },
        color.letter,
      );
      make(line.children[1], "span", {}, `${color.points}  `);
    }
  }
}

/** Draws the win probabilities reported during the game, or the points if there are none. */
function drawCourse(game) {
  const svg = byId("course");
  const count = Math.max(1, game.plies.length);
  const isOfA = (move) => (COLORS[move.color].team === "ONE") === (game.a_is === "ONE");
  let axis;
  if (game.plies.some((move) => move.win_of_a !== null)) {
    byId("course-caption").textContent = "Win probability of A, estimated by A (solid) and by B (dashed)";
    axis = axes(svg, [0, count], [0, 1], { leastX: 1 });
    for (const [wanted, color, dashes] of [
      [true, "var(--a)", ""],
      [false, "var(--b)", "6 4"],
    ]) {
      const points = game.plies
        .map((move, i) => [i + 1, move])
        .filter(([, move]) => move.win_of_a !== null && isOfA(move) === wanted);
      if (points.length)
        line(
          svg,
          points.map(([i, move]) => [axis.x(i), axis.y(move.win_of_a)]),
          color,
          dashes,
        );
    }
  } else {
    byId("course-caption").textContent = "Points of A (solid) and B (dashed)";
    const points = game.start.map((cells) => cells.length);
    const ofSide = (wanted) =>
      COLORS.reduce((sum, _, color) => sum + (isOfA({ color }) === wanted ? points[color] : 0), 0);
    const course = [[ofSide(true), ofSide(false)]];
    for (const move of game.plies) {
      points[move.color] = move.points;
      course.push([ofSide(true), ofSide(false)]);
    }
    axis = axes(svg, [0, count], [0, Math.max(1, ...course.flat())], { leastX: 1, leastY: 1 });
    line(
      svg,
      course.map(([a], i) => [axis.x(i), axis.y(a)]),
      "var(--a)",
    );
    line(
      svg,
      course.map(([, b], i) => [axis.x(i), axis.y(b)]),
      "var(--b)",
      "6 4",
    );
  }
  draw(svg, "line", { x1: axis.x(ply), x2: axis.x(ply), y1: axis.top, y2: axis.bottom, stroke: "var(--ink)" });
}

function go(newPly) {
  ply = Math.min(Math.max(0, newPly), report.games[chosen].plies.length);
  show();
}

function choose(game) {
  chosen = game;
  ply = report.games[chosen].plies.length;
  show();
}

/** Chooses the game `lines` further down the list. */
function chooseNext(lines) {
  const place = listed.indexOf(chosen) + lines;
  choose(listed[Math.min(Math.max(0, place), listed.length - 1)]);
}

/** Fills the list with the games that are wanted, and shows the first of them. */
function listGames(isWanted = () => true) {
  const table = byId("games");
  table.replaceChildren();
  const has = report.games.some((game) => game.sides);
  row(table, ["game", ...(has ? ["A – B"] : []), "pair", "A is", "A : B", ""], "th");
  listed = [...report.games.keys()].filter((i) => isWanted(report.games[i]));
  for (const i of listed) {
    const game = report.games[i];
    const result = ["lost", "drawn", "won"][game.outcome];
    const line = row(table, [
      game.id,
      ...(has ? [versus(game)] : []),
      game.pair,
      game.a_is,
      game.points.join(" : "),
      result,
    ]);
    if (has) line.children[1].className = "versus";
    line.dataset.game = i;
    line.tabIndex = 0;
    line.addEventListener("click", () => choose(i));
    line.addEventListener("keydown", (event) => event.key === "Enter" && choose(i));
  }
  if (listed.length) choose(listed[0]);
}

if (report.games.length) {
  const actions = { first: () => go(0), back: () => go(ply - 1), next: () => go(ply + 1), last: () => go(Infinity) };
  for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", action);
  byId("slider").addEventListener("input", (event) => go(Number(event.target.value)));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const keys = { Home: actions.first, ArrowLeft: actions.back, ArrowRight: actions.next, End: actions.last };
    keys.ArrowUp = () => chooseNext(-1);
    keys.ArrowDown = () => chooseNext(1);
    if (keys[event.key]) {
      event.preventDefault();
      keys[event.key]();
    }
  });
  window.addEventListener("resize", () => drawCourse(report.games[chosen]));
}
