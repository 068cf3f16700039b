// A game behind a link: its events and the actions of its user.

import { settled } from "./analysis.js";
import { Connection, allPrograms, createGame, linksOf } from "./connection.js";
import { askName, askVariation, confirmed, showInvitation, showSeats } from "./dialogs.js";
import { byId } from "./dom.js";
import { Drawing } from "./drawing.js";
import { failure } from "./failure.js";
import { Hand } from "./hand.js";
import { Input } from "./input.js";
import { Lesson } from "./lesson.js";
import { cellsOfMove, spoken } from "./piece.js";
import { Settings } from "./settings.js";
import { isOwn } from "./tray.js";
import { refusal, words } from "./words.js";

/** Time for a position in live analysis, in milliseconds. */
const LIVE_TIME = 10_000;

export class GamePage extends Drawing {
  constructor(token, main, shapes, say, enter) {
    super();
    Object.assign(this, {
      token,
      shapes,
      say,
      enter,
      view: null,
      role: "",
      review: null,
      territory: null,
      progress: null,
      engineError: "",
      lost: null,
      arrived: 0,
      underWay: 0,
      lesson: null,
      preview: null,
      isCardOpen: false,
      refusedAt: null,
      hinted: new Set(),
      drawn: {},
    });
    // The line shown on the board from a node on: `{ node, moves, count, of }`.
    this.line = null;
    // The requested node that has not arrived yet.
    this.requestedNode = null;
    this.options = new Settings("options", {
      last: true,
      numbers: false,
      anchors: false,
      territory: false,
      letters: false,
      live: false,
      time: 500,
      pace: null,
    });
    this.hand = new Hand(shapes);
    this.layOut(main);
    this.ending = new AbortController();
    // Saves an unfinished comment.
    addEventListener("pagehide", () => document.activeElement?.blur(), { signal: this.ending.signal });
    this.input = new Input(this, byId("tray"), this.ending.signal);
    this.connection = new Connection(token, {
      view: (message) => this.receive(message),
      message: (message) => this.receiveMessage(message),
      state: (isConnected, why) => this.connected(isConnected, why),
      refused: (error) => this.refused(error),
    });
    this.clock = setInterval(() => this.view && this.drawScores(), 500);
  }

  /** Releases the page for another game. */
  end() {
    this.ending.abort();
    clearInterval(this.clock);
  }

  get isHost() {
    return this.role === "host";
  }

  get isAnalysing() {
    return this.tabs.chosen === "analysis";
  }

  /** Returns `true` if a piece may be placed on the shown position. */
  get mayPlace() {
    return this.view.may_move || this.isAtTask;
  }

  /** Returns `true` if the shown position is the task of the lesson and waits for an answer. */
  get isAtTask() {
    return this.lesson !== null && this.view.node === this.lesson.task.node && !this.line;
  }

  connected(isConnected, why) {
    // After a reconnect the service knows neither the pace nor pending requests: send the pace again.
    this.sentPace = null;
    this.hinted.clear();
    this.requestedNode = null;
    this.lost = isConnected ? null : why;
    document.body.classList.toggle("lost", !isConnected);
    this.drawStatus();
  }

  refused(error) {
    this.view = null;
    this.root.replaceWith(failure(error));
  }

  receive({ view, role, progress, pace, engine_error: error }) {
    const before = this.view;
    const isNewState = before?.version !== view.version || before?.node !== view.node;
    const isNewPosition = before?.position !== view.position;
    const wasAnalysing = this.progress !== null;
    const isChangedElsewhere = isNewPosition && !this.underWay && before !== null && before.version !== view.version;
    const text = (insight) => JSON.stringify(insight, (key, value) => (key === "cells" ? undefined : value));
    const isNewInsight = text(before?.insight ?? null) !== text(view.insight);
    for (const candidate of view.insight?.candidates ?? []) candidate.cells = cellsOfMove(candidate.move, this.shapes);
    Object.assign(this, { view, role, progress, pace, arrived: Date.now() });
    if (view.node === this.requestedNode || before?.version !== view.version) this.requestedNode = null;
    this.sendPace();
    // The piece was taken for another position; in this one it could be of another colour.
    if (!this.hand.isEmpty && (isNewPosition || !this.mayPlace)) {
      this.hand.drop();
      if (isChangedElsewhere && !this.lesson) this.say(words.goneOn);
    }
    if (isNewPosition && this.options.territory) this.connection.send({ type: "territory" });
    if (isNewState || isNewInsight || progress !== null || wasAnalysing) this.connection.send({ type: "review" });
    if (isNewPosition) this.analyseLive();
    if (before) this.follow(before, view);
    else this.begin();
    const why = error ? words.engineError(words[error.color], error.text) : "";
    if (why && why !== this.engineError) this.say(why);
    this.engineError = why;
    this.draw();
  }

  /** Asks guests for their name once, and tells the host about a new or opened game. Shows the analysis of a finished game. */
  begin() {
    if (this.isHost && this.view.has_ended) this.tabs.show("analysis");
    const own = this.view.teams.find((team) =>
      this.view.colors.some((color) => color.team === team.name && isOwn(color, this.role)),
    );
    if (!this.isHost && own && !own.player && !this.view.has_ended) {
      askName().then((name) => name && this.act({ do: "name", team: own.name, name }, null));
    }
    const [, kind, count] = /^#(invite|games)=?(\d*)$/.exec(location.hash) ?? [];
    if (!this.isHost || !kind) return;
    history.replaceState(null, "", location.pathname + location.search);
    if (kind === "invite") this.showLinks((links) => showInvitation(links, this.view.colors));
    const notes = kind === "games" ? [count > 1 && words.openedGames(count), !this.view.has_ended && words.cutOff] : [];
    if (notes.some(Boolean)) this.say(notes.filter(Boolean).join(" "));
  }

  /** Announces and fades in moves of others; opens the result card at the end. */
  follow(before, view) {
    const index = (of) => of.line.findIndex((ply) => ply.node === of.node);
    const { last } = view;
    const isOwnMove =
      last &&
      isOwn(
        view.colors.find((color) => color.name === last.color),
        this.role,
      );
    if (
      last &&
      !isOwnMove &&
      before.position !== view.position &&
      index(view) === index(before) + 1 &&
      view.version !== before.version
    ) {
      this.board.arrive(last.cells);
      byId("announced").textContent = spoken(last.color, last.move);
    }
    if (view.has_ended === before.has_ended) return;
    this.isCardOpen = view.has_ended;
    if (view.has_ended) this.showBoard();
  }

  /** Sends the pace that this browser remembers; without one, the game has its default. */
  sendPace() {
    const { pace } = this.options;
    if (!this.isHost || pace === null || this.sentPace === pace) return;
    this.sentPace = pace;
    this.connection.send({ type: "pace", time: pace });
  }

  receiveMessage(message) {
    if (message.type === "review") this.review = settled(message.review);
    else if (message.type === "territory") this.territory = message.territory;
    else if (message.type === "refused") this.showError({ refusal: message.error, message: message.text });
    this.draw();
  }

  showError(error) {
    this.say(error.refusal === "connection" ? words.noConnection : refusal(error.refusal, error.message));
  }

  async act(action, on = this.view.version) {
    this.underWay += 1;
    try {
      await this.connection.act(action, on);
    } catch (error) {
      this.showError(error);
    } finally {
      this.underWay -= 1;
    }
  }

  /** Shows a node of the game. */
  go(node) {
    this.line = null;
    this.look(node);
    this.draw();
  }

  get index() {
    return this.indexOf(this.view.node);
  }

  indexOf(node) {
    return this.view.line.findIndex((ply) => ply.node === node);
  }

  look(node) {
    this.requestedNode = node;
    this.connection.look(node === this.view.current ? null : node);
  }

  step(by) {
    if (this.line && this.line.node === this.view.node) {
      const count = this.line.count + by;
      if (count > this.line.moves.length) return;
      this.line = count > 0 ? { ...this.line, count } : null;
      this.draw();
      return;
    }
    const next = this.view.line[this.indexOf(this.requestedNode ?? this.view.node) + by];
    if (next) this.go(next.node);
  }

  toEnd(isLast) {
    this.go(this.view.line.at(isLast ? -1 : 0).node);
  }

  /** Plays a line out on the board, from a node up to its move `i`; `of` is the node after the move that it is better than. */
  play(node, list, i, of = null) {
    this.line = { node, moves: list, count: i + 1, of };
    this.preview = null;
    if (node !== this.view.node) this.look(node);
    this.draw();
  }

  analyseLive() {
    if (this.options.live && this.isHost && this.view.color !== null && !this.view.is_engine_on_turn)
      this.ask(LIVE_TIME);
  }

  /** Requests a hint, with a time in milliseconds or the default. Draws its placeholder at once. */
  ask(time) {
    this.hinted.add(this.view.position);
    this.connection.send({ type: "hint", time });
    this.draw();
  }

  /** Stops any search of the engine. */
  stop() {
    this.connection.send({ type: "stop" });
    this.draw();
  }

  async analyse() {
    const placeholder = { done: 0, total: this.view.line.length };
    this.isCardOpen = false;
    this.tabs.choose("analysis");
    // Draws the place of the results before the answer arrives, so that nothing moves later.
    this.progress ??= placeholder;
    this.draw();
    try {
      await this.connection.request({ type: "analyse", time: this.options.time });
    } catch (error) {
      // A view may have brought the real progress meanwhile.
      if (this.progress === placeholder) this.progress = null;
      this.showError(error);
      this.draw();
    }
  }

  /** Changes an option. */
  choose(name, value) {
    this.options.set(name, value);
    if (name === "territory" && value) this.connection.send({ type: "territory" });
    if (name === "live" && value) this.ask(LIVE_TIME);
    if (name === "live" && !value) this.stop();
    if (name === "pace") {
      this.pace = value;
      this.sendPace();
    }
    this.draw();
  }

  learn(team) {
    this.lesson = new Lesson(this.review, this.view.line, team);
    this.go(this.lesson.task.node);
    // The buttons of a lesson may be far below the board.
    scrollTo(0, 0);
  }

  /** Begins a game with the same players, rules and clock. */
  async again(isSwapped) {
    const { view } = this;
    const { control } = new Settings("newGame", { control: null });
    const turn = (list) => (isSwapped ? [...list.slice(1), list[0]] : list);
    const names = view.teams.map((team) => team.player);
    const hasClock = view.teams.some((team) => team.clock !== null);
    try {
      const game = {
        rules: view.rules,
        seats: turn(view.colors.map((color) => color.seat)),
        names: isSwapped ? names.reverse() : names,
      };
      this.enter(await createGame(hasClock && control ? { ...game, control } : game));
    } catch (error) {
      this.showError(error);
    }
  }

  async resign() {
    const { team } = this.view.colors.find((color) => color.name === this.view.color);
    if (await confirmed(words.resignQuestion(words[team]), words.resign)) this.act({ do: "resign", team });
  }

  async takeBack() {
    await this.act({ do: "take_back", to: this.view.node });
    this.connection.look(null);
  }

  /** Promotes, names or deletes a variation. */
  async editVariation(ply) {
    const known = [this.view.line, ...Object.values(this.view.variations)].flat().find(({ node }) => node === ply.node);
    const action = await askVariation(ply, known?.is_played ?? false);
    if (!action) return;
    const parent = this.indexOf(ply.node) - 1;
    await this.act(action);
    // The deleted line may be the shown one.
    if (action.do === "delete" && parent >= 0) this.go(this.view.line[parent].node);
  }

  showSeats() {
    return this.showLinks((links, programs) =>
      showSeats(this.view, links, programs, (color, seat) => this.act({ do: "sit", color, seat })),
    );
  }

  async showLinks(show) {
    try {
      const [links, programs] = await Promise.all([linksOf(this.token), allPrograms().catch(() => [])]);
      await show(links, programs);
    } catch (error) {
      this.showError(error);
    }
  }

  /** Shows the task of the lesson. */
  showTask() {
    this.hand.drop();
    this.go(this.lesson.task.node);
  }

  async place() {
    const { hand, view } = this;
    if (hand.isEmpty) return;
    if (hand.isLegal(view)) {
      const move = hand.notation;
      if (this.isAtTask) {
        const { lesson } = this;
        const judged = lesson.judge(move, this.connection);
        this.showTask();
        await judged.catch((error) => this.showError(error));
        this.draw();
        return;
      }
      hand.drop();
      this.draw();
      await this.act({ do: "play", move });
      return;
    }
    const [x, y] = hand.corner;
    try {
      const { why } = await this.connection.request({ type: "why", shape: hand.shape, x, y });
      // There it would be legal: the position is another one than on this page.
      if (!why) return this.say(words.stale);
      this.forbid(why);
    } catch (error) {
      this.showError(error);
    }
  }
}
