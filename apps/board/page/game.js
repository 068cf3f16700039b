// A game behind a link.

import { Board } from "./board.js";
import { Connection, allPrograms, isAlone, linksOf, textOf } from "./connection.js";
import { confirmed, showSeats } from "./dialogs.js";
import { byId, make } from "./dom.js";
import { Openings } from "./elsewhere.js";
import { failure } from "./failure.js";
import { graph, summary, verdict } from "./graph.js";
import { Hand } from "./hand.js";
import { Input } from "./input.js";
import { faultDetail, insight, moves, scores, status } from "./panel.js";
import { download, savePng, saveSvg } from "./save.js";
import { Settings } from "./settings.js";
import { overview, ownColor, tray } from "./tray.js";
import { percent, refusal, words } from "./words.js";

/** How long the engine looks at each position of a game, in milliseconds, and how long at one that it is shown live. */
const ANALYSIS_TIMES = [100, 500, 2000];
const LIVE_TIME = 10_000;
/** The least time between two moves of programs that play each other until another is chosen, in milliseconds: one wants to follow. */
const SHOW_PACE = 1500;
/** How long a broken rule stays marked, in milliseconds. */
const MARK_TIME = 2500;

/** The cells of a move in our notation, such as `PENTO_W-LEFT@3,4`; none for a pass. */
function cellsOfMove(move, shapes) {
  const [shape, corner] = move.split("@");
  if (!corner) return [];
  const [x, y] = corner.split(",").map(Number);
  return (shapes.shapes[shape] ?? []).map(([dx, dy]) => [x + dx, y + dy]);
}

export class GamePage {
  constructor(token, main, shapes, say) {
    Object.assign(this, { token, shapes, say, view: null, role: "", review: null, territory: null, progress: null, trouble: "", lost: null, asked: null, arrived: 0, underWay: 0 });
    // The line that is played out on the board, from a place on: `{ node, moves, count }`.
    this.line = null;
    this.drawn = {};
    this.options = new Settings("options", { last: true, anchors: false, territory: false, letters: false, live: false, time: 500, pace: null });
    this.hand = new Hand(shapes);
    this.openings = new Openings(token);
    this.layOut(main);
    this.ending = new AbortController();
    this.input = new Input(this, byId("tray"), this.ending.signal);
    this.connection = new Connection(token, {
      view: (message) => this.receive(message),
      message: (message) => this.hear(message),
      state: (isConnected, why) => this.connected(isConnected, why),
      refused: (error) => this.refused(error),
    });
    this.clock = setInterval(() => this.view && this.drawScores(), 500);
  }

  /** Lets another game take its place. */
  end() {
    this.ending.abort();
    clearInterval(this.clock);
  }

  get isHost() {
    return this.role === "host";
  }

  layOut(main) {
    const region = (id, name = "div", attributes = {}) => make(name, { id, ...attributes });
    // It is seen when there is something to see, all at once.
    this.root = make(
      "div", { class: "game", hidden: true },
      make("div", { class: "middle" }, region("scores"), region("status", "p", { role: "status" }), region("boardplace"), region("nav", "nav", { "aria-label": words.moves })),
      make("div", { class: "left" }, region("tray"), region("handkeys", "div", { role: "group", "aria-label": words.held }), region("overview"), region("options"),
        make("p", { class: "help" }, words.help)),
      make("div", { class: "right" }, region("tools"), region("said"), region("moves", "ol", { class: "moves", "aria-label": words.moves, "data-empty": words.noMoves }), region("comment"), region("analysis"),
        region("graph"), region("verdict"), region("engine"), region("opening"), region("summary"), region("reach")),
      region("spoken", "p", { class: "hidden", "aria-live": "polite" }),
    );
    main.replaceChildren(this.root);
    this.board = new Board(byId("boardplace"));
  }

  connected(isConnected, why) {
    // The service forgets the pace, the browser does not.
    this.paceTold = null;
    // What was asked before is not answered any more.
    this.asked = null;
    this.lost = isConnected ? null : why;
    document.body.classList.toggle("lost", !isConnected);
    this.drawStatus();
  }

  refused(error) {
    this.view = null;
    this.root.replaceWith(failure(error));
  }

  receive({ view, role, progress, trouble }) {
    const isOther = this.view?.version !== view.version || this.view?.node !== view.node;
    const isElsewhere = this.view?.position !== view.position;
    const wasAnalysing = this.progress !== null;
    const isChangedElsewhere = isElsewhere && !this.underWay && this.view !== null && this.view.version !== view.version;
    const isThoughtAnew = JSON.stringify(this.view?.insight ?? null) !== JSON.stringify(view.insight);
    Object.assign(this, { view, role, progress, arrived: Date.now() });
    this.tellPace();
    // The piece was taken for another position; in this one it could be of another colour.
    if (!this.hand.isEmpty && (isElsewhere || !view.may_move)) {
      this.hand.drop();
      if (isChangedElsewhere) this.say(words.goneOn);
    }
    if (isElsewhere && this.options.territory) this.connection.tell({ type: "territory" });
    if (isOther || isThoughtAnew || progress !== null || wasAnalysing) this.connection.tell({ type: "review" });
    if (isElsewhere) this.thinkLive();
    this.openings.look(view, () => this.draw()).catch((error) => this.complain(error));
    const why = trouble ? words.troubled(words[trouble.color], trouble.text) : "";
    if (why && why !== this.trouble) this.say(why);
    this.trouble = why;
    this.draw();
  }

  /** The least time between two moves of programs. */
  get pace() {
    const isShow = this.view.colors.every(({ seat }) => seat.kind === "level" || seat.kind === "program");
    return this.options.pace ?? (isShow ? SHOW_PACE : 0);
  }

  tellPace() {
    if (!this.isHost || this.paceTold === this.pace) return;
    this.paceTold = this.pace;
    this.connection.tell({ type: "pace", time: this.pace });
  }

  hear(message) {
    if (message.type === "review") this.review = message.review;
    else if (message.type === "territory") this.territory = message.territory;
    else if (message.type === "refused") return this.complain({ refusal: message.error, message: message.text });
    this.draw();
  }

  complain(error) {
    this.say(error.refusal === "connection" ? words.noConnection : refusal(error.refusal, error.message));
  }

  async act(action) {
    this.underWay += 1;
    try {
      await this.connection.act(action, action.do === "comment" ? null : this.view.version);
    } catch (error) {
      this.complain(error);
    } finally {
      this.underWay -= 1;
    }
  }

  // Where one looks.
  go(node) {
    this.line = null;
    this.connection.look(node === this.view.current ? null : node);
    this.draw();
  }

  get index() {
    return this.view.line.findIndex((ply) => ply.node === this.view.node);
  }

  step(by) {
    if (this.line && this.line.node === this.view.node) {
      const count = this.line.count + by;
      if (count > this.line.moves.length) return;
      this.line = count > 0 ? { ...this.line, count } : null;
      this.draw();
      return;
    }
    const next = this.view.line[this.index + by];
    if (next) this.go(next.node);
  }

  toEnd(isLast) {
    this.go(this.view.line.at(isLast ? -1 : 0).node);
  }

  /** Plays a line out on the board, from a place up to its move `i`; `of` is the place after the move that it is better than. */
  play(node, list, i, of = null) {
    this.line = { node, moves: list, count: i + 1, of };
    if (node !== this.view.node) this.connection.look(node === this.view.current ? null : node);
    this.draw();
  }

  thinkLive() {
    if (this.options.live && this.isHost && this.view.color !== null && !this.view.is_engine_on_turn) {
      this.ask(LIVE_TIME);
    }
  }

  /** Asks the engine about the position, for some milliseconds or as long as hints take. Room for its answer is made at once. */
  ask(time) {
    this.asked = this.view.position;
    this.connection.tell({ type: "hint", time });
    this.draw();
  }

  /** Lets the engine stop thinking, whatever it was asked. */
  stop() {
    this.asked = null;
    this.connection.tell({ type: "stop" });
    this.draw();
  }

  // What is drawn.
  /** Fills a region anew if what it shows has changed, so that no button goes while it is pressed. */
  fill(id, shown, build) {
    const key = JSON.stringify(shown);
    if (this.drawn[id] === key) return;
    this.drawn[id] = key;
    const element = byId(id);
    const all = () => [...element.querySelectorAll("button, input, select, textarea")];
    const index = all().indexOf(document.activeElement);
    element.replaceChildren(...build().filter(Boolean));
    if (index >= 0) all()[index]?.focus({ preventScroll: true });
  }

  draw() {
    const { view, board, options, review } = this;
    if (!view) return;
    this.root.hidden = false;
    const line = this.shownLine;
    board.show(view, options, line);
    const onTurn = view.colors.find((color) => color.name === view.color);
    const own = options.territory && onTurn && !line.length ? this.territory?.[view.colors.indexOf(onTurn)] : null;
    board.territory(own, onTurn?.name);
    board.ghosts(line.length || !this.hand.isEmpty ? [] : this.ghosts());
    this.drawStatus();
    const said = this.trouble || (view.node === view.current ? faultDetail(view.fault) : "");
    this.fill("said", said, () => [said && make("p", {}, said)]);
    this.drawScores();
    const at = ownColor(view, this.role);
    const held = this.hand.piece;
    this.fill("tray", [at, view.may_move, view.color, view.legal, held?.name], () => [tray(view, this.shapes, at, held, (piece) => this.take(piece))]);
    this.fill("overview", [view.colors, view.color], () => overview(view, this.shapes));
    const thought = line.length ? null : insight(view, this.asked === view.position, (i) => this.play(view.node, view.expected, i));
    this.fill("engine", [thought !== null, view.insight, view.expected], () => [thought]);
    const opening = line.length ? null : this.openings.table(view, (moves) => this.play(view.node, moves, 0));
    this.fill("opening", [opening && this.openings.found, view.insight?.candidates], () => [opening]);
    this.drawReview();
    this.fill("moves", [view.line, view.variations, view.node, review?.moves.map((move) => move.mark)], () => moves(view, review, (node) => this.go(node)));
    this.scrollMoves();
    this.fill("reach", [own && [own.reach.length, own.sealed.length, own.fits]], () => [own && make("p", {}, words.reachOf(words[onTurn.name], own.reach.length, own.sealed.length, own.fits.length))]);
    this.drawTools(line.length > 0);
    this.drawHand();
  }

  /** The moves of the line that is played out on the board. */
  get shownLine() {
    return this.line?.node === this.view.node ? this.line.moves.slice(0, this.line.count) : [];
  }

  /** As long as the connection is lost, nothing else is said there, whatever is drawn meanwhile. */
  drawStatus() {
    const { view, lost } = this;
    if (!view && !lost) return;
    this.root.hidden = false;
    byId("status").textContent = lost ?? (this.shownLine.length ? words.lineShown(this.shownLine.length) : status(view));
  }

  drawScores() {
    byId("scores").replaceChildren(...scores(this.view, Date.now() - this.arrived));
  }

  drawReview() {
    const { view, review } = this;
    // All of it is there from the beginning of an analysis, so that nothing moves when more is known.
    const isKnown = review !== null && (this.progress !== null || review.graph.filter(Boolean).length > 1);
    const nodes = view.line.map((ply) => ply.node);
    this.fill("graph", [isKnown && review, this.index, nodes], () => (isKnown
      ? [graph(review, nodes, this.index, (i) => nodes[i] !== undefined && this.go(nodes[i])), make("small", {}, words.graphHelp)] : []));
    // While its better line is played out, the move that it is better than is still spoken of.
    const of = this.line?.of ?? view.node;
    const move = isKnown ? review.moves.find((one) => one.node === of) : null;
    const before = move && nodes[nodes.indexOf(move.node) - 1];
    this.fill("verdict", [isKnown && this.index > 0, move, before], () => [
      move ? verdict(move, (i) => this.play(before, move.better, i, move.node)) : isKnown && this.index > 0 && make("p"),
    ]);
    this.fill("summary", [isKnown && review], () => (isKnown ? [summary(review), make("small", {}, words.scale)] : []));
  }

  /** Keeps the move that is seen in the part of the list that is seen, without scrolling the page. */
  scrollMoves() {
    const list = byId("moves");
    const item = list.querySelector("[aria-current]")?.parentElement;
    if (!item) {
      list.scrollTop = 0;
      return;
    }
    const [top, bottom] = [item.offsetTop - list.offsetTop, item.offsetTop - list.offsetTop + item.offsetHeight];
    if (top < list.scrollTop) list.scrollTop = top;
    if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
  }

  ghosts() {
    const { view } = this;
    const candidates = view.insight && view.color ? view.insight.candidates : [];
    const ghosts = candidates.map((candidate, rank) => ({
      cells: cellsOfMove(candidate.move, this.shapes), name: view.color, rank, label: percent(candidate.win ?? candidate.share),
    }));
    return ghosts.filter((ghost) => ghost.cells.length);
  }

  drawHand() {
    const { hand, board, view } = this;
    const key = (text, name, act) => this.button(text, act, { disabled: hand.isEmpty, title: name, "aria-label": name });
    this.fill("handkeys", [hand.isEmpty], () => [
      key(`⟳ ${words.turnShort}`, words.turn, () => this.change((held) => held.turn())), key(`⇋ ${words.mirrorShort}`, words.mirror, () => this.change((held) => held.mirror())),
      key(`✓ ${words.placeShort}`, words.place, () => this.place()), key("✕", words.drop, () => this.change((held) => held.drop())),
    ]);
    document.body.classList.toggle("holding", !hand.isEmpty);
    board.legal(hand.isEmpty ? [] : hand.legalCells(view));
    const isLegal = !hand.isEmpty && hand.isLegal(view);
    board.hand(hand.isEmpty || !hand.isShown ? [] : hand.cells, view.color, isLegal);
    const spoken = hand.isEmpty || !hand.isShown ? "" : words.handAt(hand.shape, ...hand.corner, isLegal);
    if (byId("spoken").textContent !== spoken) byId("spoken").textContent = spoken;
  }

  button(text, onclick, attributes = {}) {
    return make("button", { type: "button", onclick, ...attributes }, text);
  }

  drawTools(isLine) {
    const { view, isHost } = this;
    const [isHere, at, count] = [view.node === view.current, this.index, view.line.length];
    const arrow = (text, name, act, isAtEnd) => this.button(text, act, { "aria-label": name, title: name, disabled: isAtEnd });
    this.fill("nav", [at, count, isLine], () => [
      arrow("|◀\uFE0E", words.toStart, () => this.toEnd(false), at === 0 && !isLine), arrow("◀\uFE0E", words.back, () => this.step(-1), at === 0 && !isLine),
      arrow("▶\uFE0E", words.forward, () => this.step(1), at === count - 1 && !isLine), arrow("▶\uFE0E|", words.toEnd, () => this.toEnd(true), at === count - 1 && !isLine),
    ]);
    const isMine = isHere && view.may_move;
    const shown = [isHost, isHere, isMine, view.may_pass, view.can_undo, view.can_redo, view.is_over, view.is_engine_on_turn, view.is_paused, view.has_ended];
    // Every button has its place, so that nothing moves when one cannot be used.
    this.fill("tools", shown, () => [
      isHost && this.button(`↶ ${words.undo}`, () => this.act({ do: "undo" }), { disabled: !view.can_undo }),
      isHost && this.button(`↷ ${words.redo}`, () => this.act({ do: "redo" }), { disabled: !view.can_redo }),
      isHost && this.button(`★ ${words.hint}`, () => this.ask(), { disabled: view.is_over }),
      this.button(words.pass, () => this.act({ do: "play", move: "PASS" }), { disabled: !(isMine && view.may_pass) }),
      this.button(words.resign, () => this.resign(), { disabled: !isMine }),
      isHost && this.button(words.moveNow, () => this.connection.tell({ type: "move_now" }), { disabled: !(isHere && view.is_engine_on_turn) }),
      isHost && this.button(view.is_paused ? words.resume : words.pause, () => this.act({ do: this.view.is_paused ? "resume" : "pause" }), { disabled: view.has_ended }),
      isHost && this.button(words.goOnHere, () => this.takeBack(), { disabled: isHere }),
    ]);
    this.drawComment(view.line[at]?.comment ?? "");
    this.drawOptions();
  }

  drawComment(comment) {
    const { view, isHost } = this;
    // What is being written is about the move for which it was begun, whatever happens meanwhile.
    if (byId("comment").contains(document.activeElement)) return;
    this.fill("comment", [isHost, view.node, comment], () => [isHost ? make("textarea", {
      "aria-label": words.comment, placeholder: words.comment, rows: 2,
      onchange: (event) => this.act({ do: "comment", node: view.node, text: event.target.value }),
      onblur: () => this.draw(),
    }, comment) : comment && make("p", {}, comment)]);
  }

  async resign() {
    const { team } = this.view.colors.find((color) => color.name === this.view.color);
    if (await confirmed(words.resignQuestion(words[team]))) this.act({ do: "resign", team });
  }

  async takeBack() {
    await this.act({ do: "take_back", to: this.view.node });
    this.connection.look(null);
  }

  drawOptions() {
    const { view, isHost, options, progress } = this;
    const change = (name, value) => {
      options.set(name, value);
      if (name === "territory" && value) this.connection.tell({ type: "territory" });
      if (name === "live" && value) this.ask(LIVE_TIME);
      if (name === "live" && !value) this.stop();
      if (name === "pace") this.tellPace();
      this.draw();
    };
    const toggle = (name) => make("label", {}, make("input", { type: "checkbox", checked: options[name], onchange: (event) => change(name, event.target.checked) }), words[name]);
    const choice = (name, chosen, values, text) => make(
      "select", { "aria-label": words[name], onchange: (event) => change(name, Number(event.target.value)) },
      ...values.map((value) => make("option", { value: String(value), selected: value === chosen }, text(value))),
    );
    const analysis = progress
      ? [make("progress", { value: progress.done, max: progress.total }), words.progress(progress.done, progress.total), this.button(words.stop, () => this.stop())]
      : [this.button(words.analyse, () => this.connection.tell({ type: "analyse", time: options.time }), { class: "main" }), choice("time", options.time, ANALYSIS_TIMES, (ms) => words.perMove(ms / 1000))];
    const files = ["html", "blksgf", "txt", "jsonl", ...(view.rules.startsWith("classic") ? [] : ["xml"])];
    const file = (name, save) => this.button(name, () => save().catch((error) => this.complain(error)), { class: "file" });
    const text = (kind) => file(kind, async () => download(new Blob([await textOf(this.token, kind)], { type: "text/plain" }), `blokus.${kind}`));
    this.fill("analysis", [isHost, options, progress], () => [isHost && make("div", { class: "row" }, ...analysis, toggle("live"))]);
    this.fill("options", [isHost, options, this.pace, view.rules], () => [
      isHost && make("div", { class: "row" }, make("span", {}, `${words.pace}:`), choice("pace", this.pace, [0, 500, SHOW_PACE, 4000], (ms) => (ms ? words.paceOf(ms / 1000) : words.paceNone))),
      make("div", { class: "row" }, ...["last", "anchors", "territory", "letters"].map(toggle)),
      make("div", { class: "row" }, make("span", {}, `${words.save}:`), ...files.map(text), file("svg", () => saveSvg(this.board.svg)), file("png", () => savePng(this.board.svg))),
      isHost && make("div", { class: "row" }, this.button(isAlone ? words.players : words.seats, () => this.showSeats())),
    ]);
  }

  async showSeats() {
    try {
      const [links, programs] = await Promise.all([linksOf(this.token), allPrograms().catch(() => [])]);
      await showSeats(this.view, links, programs, (color, seat) => this.act({ do: "sit", color, seat }));
    } catch (error) {
      this.complain(error);
    }
  }

  // The hand.
  take(piece) {
    if (this.hand.piece?.name === piece) this.hand.drop();
    else this.hand.take(piece);
    if (!this.hand.isEmpty) {
      // Without a pointer over the board, the piece has to be somewhere: where it may lie, if there is such a place.
      const [cell] = this.hand.legalCells(this.view);
      this.hand.moveTo(cell === undefined ? this.hand.cell : [cell % 20, Math.floor(cell / 20)]);
      this.hand.isShown = true;
      this.board.svg.focus({ preventScroll: true });
    }
    this.draw();
  }

  change(change) {
    if (this.hand.isEmpty) return;
    change(this.hand);
    if (this.hand.isEmpty) this.draw();
    else this.drawHand();
  }

  async place() {
    const { hand, view } = this;
    if (hand.isEmpty) return;
    if (hand.isLegal(view)) {
      const move = hand.notation;
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
      this.say(refusal(why.rule, why.text));
      this.board.wrong(why.cells);
      setTimeout(() => this.board.wrong([]), MARK_TIME);
    } catch (error) {
      this.complain(error);
    }
  }
}
