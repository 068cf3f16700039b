// The page of a game as elements: each part is filled again only if its content has changed.

import { controls, drawGraph, drawSummary, drawVerdict } from "./analysis.js";
import { Board } from "./board.js";
import { byId, make } from "./dom.js";
import { optionRows } from "./options.js";
import { faultDetail, insight, moves, player, scores, searched, status } from "./panel.js";
import { cellAt, cellsOfMove, places } from "./piece.js";
import { refusedMove } from "./refused.js";
import { resultCard } from "./result.js";
import { Tabs } from "./tabs.js";
import { commentField, handKeys, steps, tools } from "./tools.js";
import { isFresh, isOwn, overview, ownColor, tray } from "./tray.js";
import { percent, refusal, words } from "./words.js";

/** Time for which a broken rule stays marked, in milliseconds. */
const MARK_TIME = 2500;

/** Returns the help for the pointers of this device: a laptop may have a mouse and a touch screen. */
function inputHelp() {
  const [hasMouse, hasTouch] = ["(hover: hover)", "(any-pointer: coarse)"].map((query) => matchMedia(query).matches);
  return [hasMouse || !hasTouch ? words.help : null, hasTouch ? words.helpTouch : null].filter(Boolean);
}

export class Drawing {
  layOut(main) {
    const region = (id, name = "div", attributes = {}) => make(name, { id, ...attributes });
    this.tabs = new Tabs(
      {
        play: [region("tools"), region("comment"), ...inputHelp().map((text) => make("p", { class: "help" }, text))],
        analysis: [region("analysis"), region("verdict"), region("graph"), region("summary")],
        more: [region("options"), region("reach")],
      },
      () => this.draw(),
    );
    // It appears all at once, when the first view is there.
    this.root = make(
      "div",
      { class: "game", hidden: true },
      region("heading", "h1", { class: "hidden" }),
      make(
        "div",
        { class: "middle" },
        region("scores"),
        region("status", "p", { role: "status" }),
        make("div", { id: "boardplace" }, region("evalbar", "div", { hidden: true }), region("result")),
        region("nav", "nav", { "aria-label": words.moves }),
      ),
      make(
        "div",
        { class: "left" },
        region("tray"),
        region("handkeys", "div", { role: "group", "aria-label": words.held }),
        region("overview"),
      ),
      make(
        "div",
        { class: "right" },
        region("fault"),
        region("lesson"),
        region("moves", "ol", { class: "moves", "aria-label": words.moves, "data-empty": words.noMoves }),
        this.tabs.element,
        region("engine"),
      ),
      region("spoken", "p", { class: "hidden", "aria-live": "polite" }),
      region("announced", "p", { class: "hidden", "aria-live": "polite" }),
    );
    main.replaceChildren(this.root);
    this.board = new Board(byId("boardplace"));
  }

  /** Fills a region again if its content has changed, so that no button goes while it is pressed. */
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
    const { view, options, review } = this;
    if (!view) return;
    const plays = view.colors.some((color) => isOwn(color, this.role));
    // A viewer needs no pieces, and a finished game needs them only for variations.
    this.root.classList.toggle("idle", !this.lesson && (!plays || (view.has_ended && this.tabs.chosen !== "play")));
    this.root.classList.toggle("learning", this.lesson !== null);
    this.root.hidden = false;
    const title = view.teams.map((team, i) => player(view, i, this.role) || words[team.name]).join(" – ");
    this.fill("heading", title, () => [title]);
    this.drawBoard();
    this.drawStatus();
    const fault = this.engineError || (view.node === view.current ? faultDetail(view.fault) : "");
    this.fill("fault", fault, () => [fault && make("p", {}, fault)]);
    this.drawScores();
    const at = this.isAtTask ? view.colors.find((color) => color.name === view.color) : ownColor(view, this.role);
    const held = this.hand.piece;
    this.fill("tray", [at, this.mayPlace, view.color, view.legal, held?.name], () => [
      tray(view, this.shapes, at, held, this.mayPlace, (piece) => this.take(piece)),
    ]);
    this.fill("overview", [view.colors, view.color], () => overview(view, this.shapes));
    this.drawEngine();
    this.drawLesson();
    this.drawAnalysis();
    this.drawCard();
    const marks = new Map((this.isAnalysing && review ? review.moves : []).map((move) => [move.node, move.mark]));
    this.fill("moves", [view.line, view.variations, view.node, [...marks], this.isHost], () =>
      moves(
        view,
        marks,
        (move) => cellsOfMove(move, this.shapes),
        (node) => this.go(node),
        this.isHost ? (ply) => this.editVariation(ply) : null,
      ),
    );
    this.scrollMoves();
    this.drawTools(this.shownLine.length > 0);
    this.fill(
      "options",
      [this.isHost, options, this.pace, view.rules, view.teams, view.colors.map((color) => color.seat)],
      () => optionRows(this),
    );
    this.drawHand();
  }

  drawBoard() {
    const { view, board, options } = this;
    const line = this.shownLine;
    board.show(view, options, line);
    const onTurn = view.colors.find((color) => color.name === view.color);
    const own = options.territory && onTurn && !line.length ? this.territory?.[view.colors.indexOf(onTurn)] : null;
    board.territory(own, onTurn?.name);
    const ghosts = line.length || !this.hand.isEmpty ? [] : this.ghosts();
    const isStart =
      onTurn && !line.length && (!ghosts.length || this.isAtTask) && this.mayPlace && isFresh(onTurn, this.shapes);
    board.starts(isStart ? onTurn.anchors : [], onTurn?.name);
    board.ghosts(ghosts);
    const played = [
      ...view.line
        .slice(1, this.index + 1)
        .map((ply) => ({ name: ply.color, cells: cellsOfMove(ply.move, this.shapes) })),
      ...line.map((move) => ({ name: move.color, cells: move.cells })),
    ];
    board.numbers(
      options.numbers ? played.map((move, i) => ({ ...move, cells: places(move.cells), number: i + 1 })) : [],
    );
    this.fill("reach", own && [own.reach.length, own.sealed.length, own.fits], () => [
      own && make("p", {}, words.reachOf(words[onTurn.name], own.reach.length, own.sealed.length, own.fits.length)),
    ]);
    this.drawRefused();
  }

  /** Draws the illegal move that ended the game, if the server named it. */
  async drawRefused() {
    const { view, board } = this;
    const place = view.node === view.current && view.fault?.[1] === "illegal" ? view.position : null;
    if (this.refusedAt === place) return;
    this.refusedAt = place;
    const found =
      place && (await refusedMove(view, this.shapes, (message) => this.connection.request(message)).catch(() => null));
    if (this.refusedAt === place) board.refused(found ? found.cells : [], found?.color, found?.wrong);
  }

  /** Returns the moves of the line shown on the board. */
  get shownLine() {
    return this.line?.node === this.view.node ? this.line.moves.slice(0, this.line.count) : [];
  }

  /** Shows a lost connection until it is back. */
  drawStatus() {
    const { view, lost } = this;
    if (!view && !lost) return;
    this.root.hidden = false;
    const text = () => {
      if (this.shownLine.length) return words.lineShown(this.shownLine.length);
      return this.isAtTask ? words.findBetter(words[view.color]) : status(view);
    };
    byId("status").textContent = lost ?? text();
  }

  drawScores() {
    byId("scores").replaceChildren(...scores(this.view, this.role, Date.now() - this.arrived));
  }

  drawEngine() {
    const { view } = this;
    const isLine = this.shownLine.length > 0;
    const isShown = !isLine && !this.isAtTask && (this.isAnalysing || this.hinted.has(view.position));
    const thought = isShown
      ? insight(view, this.hinted.has(view.position), {
          line: (i) => this.play(view.node, view.expected, i),
          try: (candidate) => this.play(view.node, [{ color: view.color, ...candidate }], 0),
          preview: (i) => {
            this.preview = i;
            this.board.ghosts(this.hand.isEmpty && !this.shownLine.length ? this.ghosts() : []);
          },
        })
      : null;
    this.fill("engine", [thought !== null, view.insight, view.expected], () => [thought]);
  }

  drawLesson() {
    const { lesson } = this;
    const show = (i) => this.play(lesson.task.node, lesson.task.mistake.better, i);
    this.fill("lesson", [lesson?.at, lesson?.answer, lesson?.tasks], () => [
      lesson &&
        lesson.draw({
          show,
          reveal: () => {
            lesson.answer = { kind: "shown", win: null };
            this.hand.drop();
            show(0);
          },
          next: () => {
            lesson.next();
            this.showTask();
          },
          end: () => {
            this.lesson = null;
            this.toEnd(true);
          },
        }),
    ]);
  }

  drawAnalysis() {
    const { view, review, lesson } = this;
    if (!this.isAnalysing) {
      byId("evalbar").hidden = true;
      return;
    }
    // The graph and the verdict appear when an analysis begins, so that little moves later; the summary waits for its end.
    const isKnown = review !== null && (this.progress !== null || review.graph.some(Boolean));
    const nodes = view.line.map((ply) => ply.node);
    const here = [this.index, nodes, this.line?.of];
    this.fill("analysis", [this.isHost, this.options, this.progress, lesson !== null], () => [
      this.isHost && !lesson && controls(this),
    ]);
    this.fill("verdict", [isKnown && review, lesson !== null, here], () =>
      isKnown && !lesson ? drawVerdict(this, review) : [],
    );
    this.fill("graph", [isKnown && review, here], () =>
      isKnown
        ? drawGraph(this, review)
        : [!lesson && make("p", { class: "help" }, this.isHost ? words.analysisHelp : words.noAnalysis)],
    );
    const isDone = isKnown && this.progress === null;
    this.fill("summary", [isDone && review, this.isHost], () => (isDone ? drawSummary(this, review) : []));
    this.drawBar(
      this.shownLine.length || lesson ? null : (view.insight?.win ?? review?.graph[this.index]?.[0] ?? null),
    );
  }

  /** Draws the bar beside the board: the win probability of blue and red, from below, if it is known. */
  drawBar(win) {
    const bar = byId("evalbar");
    bar.hidden = win === null;
    if (win === null) return;
    bar.style.setProperty("--win", `${100 * win}%`);
    this.fill("evalbar", win, () => [
      make("i", { role: "img", "aria-label": `${words.winProbabilityOf(words.ONE)}: ${percent(win)}` }),
    ]);
  }

  drawCard() {
    const { view, review } = this;
    const isShown = this.isCardOpen && view.has_ended && view.node === view.current && view.result !== "unfinished";
    this.fill("result", [isShown, isShown && [view.result, view.teams, this.role]], () => [
      isShown &&
        resultCard(view, this.role, review, {
          analyse: () => this.analyse(),
          again: (isSwapped) => this.again(isSwapped),
          go: (node) => this.go(node),
          close: () => this.closeCard(),
        }),
    ]);
  }

  /** Scrolls to the board, which may be far above the buttons. */
  showBoard() {
    byId("boardplace").scrollIntoView({ block: "nearest" });
  }

  closeCard() {
    this.isCardOpen = false;
    this.draw();
  }

  /** Scrolls the list, not the page, to the shown move. */
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

  /** Returns the moves drawn over the board: candidates, or the better move in the place of a mistake. */
  ghosts() {
    const { view } = this;
    const asked = this.hinted.has(view.position);
    if (this.isAtTask) {
      const { answer, task } = this.lesson;
      const ghost = (move, rank, label) => [
        { cells: places(cellsOfMove(move, this.shapes)), name: view.color, rank, label },
      ];
      if (!answer?.move) return ghost(task.played, 1, words.gameMove);
      return ghost(answer.move, 0, answer.win === null ? words.tried : percent(answer.win));
    }
    if (!(this.isAnalysing || asked)) return [];
    const mistake = !asked && this.review?.moves.find((move) => move.node === view.node && move.mark);
    if (mistake && mistake.better.length) {
      const [better] = mistake.better;
      return [{ cells: places(better.cells), name: better.color, rank: 0, label: words.betterShort }];
    }
    const candidates = view.insight && view.color ? searched(view.insight) : [];
    const all = candidates.map(({ cells }, rank) => ({
      cells: places(cells),
      name: view.color,
      rank,
      label: String(rank + 1),
    }));
    return all.filter(({ cells, rank }) => cells.length && (this.preview === null || rank === this.preview));
  }

  // The hand.
  take(piece) {
    if (this.hand.piece?.name === piece) this.hand.drop();
    else this.hand.take(piece, this.view);
    if (!this.hand.isEmpty) {
      // Without a pointer over the board, the piece has to be somewhere: where it may lie, if there is such a place.
      const [cell] = this.hand.legalCells(this.view);
      this.hand.moveTo(cell === undefined ? this.hand.cell : cellAt(cell));
      this.hand.isShown = true;
      this.board.svg.focus({ preventScroll: true });
    }
    this.draw();
  }

  /** Takes the next piece of a size that can be placed. */
  takeOfSize(size) {
    const { view, shapes } = this;
    if (!this.mayPlace) return;
    const usable = new Set(Object.keys(view.legal).map((shape) => shape.split("-")[0]));
    const names = shapes.pieces
      .filter((piece) => piece.size === size && usable.has(piece.name))
      .map((piece) => piece.name);
    const next = names[(names.indexOf(this.hand.piece?.name) + 1) % names.length];
    if (next && next !== this.hand.piece?.name) this.take(next);
  }

  change(change) {
    if (this.hand.isEmpty) return;
    change(this.hand);
    if (this.hand.isEmpty) this.draw();
    else this.drawHand();
  }

  /** Names the rule that forbids a placement and marks its cells. */
  forbid(why) {
    this.say(refusal(why.rule, why.text));
    this.board.wrong(why.cells, why.needed);
    clearTimeout(this.marking);
    this.marking = setTimeout(() => this.board.wrong([]), MARK_TIME);
  }

  drawHand() {
    const { hand, board, view } = this;
    this.fill("handkeys", [hand.isEmpty], () => handKeys(this));
    document.body.classList.toggle("holding", !hand.isEmpty);
    board.legal(hand.isEmpty ? [] : hand.legalCells(view));
    const isLegal = !hand.isEmpty && hand.isLegal(view);
    if (isLegal) board.wrong([]);
    board.hand(hand.isEmpty || !hand.isShown ? [] : hand.cells, view.color, isLegal);
    const text = hand.isEmpty || !hand.isShown ? "" : words.handAt(hand.shape, ...hand.corner, isLegal);
    if (byId("spoken").textContent !== text) byId("spoken").textContent = text;
  }

  drawTools(isLine) {
    const { view, isHost } = this;
    const [at, isHere] = [this.index, view.node === view.current];
    this.fill("nav", [at, view.line.length, isLine], () => steps(this, isLine));
    const plays = view.colors.some((color) => isOwn(color, this.role));
    const { may_move, may_pass, can_undo, can_redo, is_over, is_engine_on_turn, is_paused, has_ended } = view;
    const shown = [may_move, may_pass, can_undo, can_redo, is_over, is_engine_on_turn, is_paused, has_ended];
    this.fill("tools", [isHost, plays, isHere, ...shown], () => tools(this, plays, isHere));
    const comment = view.line[at]?.comment ?? "";
    // A comment belongs to the move for which it was begun, whatever happens meanwhile.
    if (byId("comment").contains(document.activeElement)) return;
    this.fill("comment", [isHost, view.node, comment], () => [commentField(this, comment)]);
  }
}
