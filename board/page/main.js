// The page: the start, or a game behind a link.

import { Board, cellsOfMove } from "./board.js";
import { Connection, ask } from "./connection.js";
import { byId, make } from "./dom.js";
import { graph, summary, verdict } from "./graph.js";
import { Hand } from "./hand.js";
import { insight, moves, scores, status } from "./panel.js";
import { importFile, startPage } from "./start.js";
import { trays } from "./tray.js";
import { percent, refusal, switchLanguage, words } from "./words.js";

let toastTimer = null;
function say(text) {
  const toast = byId("toast");
  toast.textContent = text;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (toast.textContent = ""), 5000);
}
const complain = (error) => say(error.refusal === "connection" ? words.noConnection : refusal(error.refusal, error.message));

function header() {
  byId("header").replaceChildren(
    make("a", { href: "/" }, make("strong", {}, words.title)),
    make("button", { type: "button", lang: document.documentElement.lang === "de" ? "en" : "de", onclick: switchLanguage }, words.language),
  );
}

function acceptFiles() {
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    const file = event.dataTransfer.files[0];
    if (file) importFile(file).catch(complain);
  });
}

class GamePage {
  constructor(token, main, shapes) {
    Object.assign(this, { token, shapes, view: null, role: "", review: null, territory: null, progress: null, trouble: null, arrived: 0 });
    this.options = { anchors: false, territory: false, letters: false };
    this.hand = new Hand(shapes);
    this.layOut(main);
    this.connection = new Connection(token, {
      view: (message) => this.receive(message),
      message: (message) => this.hear(message),
      state: (isConnected) => document.body.classList.toggle("lost", !isConnected),
    });
    setInterval(() => this.view && byId("scores").replaceChildren(...scores(this.view, Date.now() - this.arrived)), 500);
    this.listen();
  }

  get isHost() {
    return this.role === "host";
  }

  layOut(main) {
    const region = (id, name = "div") => make(name, { id });
    main.replaceChildren(make(
      "div", { class: "game" },
      make("div", { class: "middle" }, region("scores"), make("p", { id: "status", "aria-live": "polite" }), region("boardplace"), region("handkeys"), region("tools")),
      make("div", { class: "left" }, region("trays")),
      make("div", { class: "right" }, region("graph"), region("verdict"), region("insight"), region("moves"), region("summary"), region("reach"), region("more"),
        make("p", { class: "help" }, words.help)),
    ));
    this.board = new Board(byId("boardplace"));
  }

  receive({ view, role, progress, trouble }) {
    const isNew = this.view?.version !== view.version || this.view?.node !== view.node;
    const wasAnalysing = this.progress !== null;
    const knewInsight = JSON.stringify(this.view?.insight ?? null) === JSON.stringify(view.insight);
    Object.assign(this, { view, role, progress, arrived: Date.now() });
    if (isNew && !this.hand.isEmpty && !(view.may_move && this.stillLeft())) this.hand.drop();
    if (isNew && this.options.territory) this.connection.tell({ type: "territory" });
    if (isNew || !knewInsight || progress !== null || wasAnalysing) this.connection.tell({ type: "review" });
    if (trouble && trouble !== this.trouble) say(trouble);
    this.trouble = trouble;
    this.draw();
  }

  stillLeft() {
    const own = this.view.colors.find((color) => color.name === this.view.color);
    return own?.left.includes(this.hand.piece) ?? false;
  }

  hear(message) {
    if (message.type === "review") this.review = message.review;
    else if (message.type === "territory") this.territory = message.territory;
    else if (message.type === "refused") return complain({ refusal: message.error, message: message.text });
    this.draw();
  }

  act(action) {
    return this.connection.act(action, action.do === "comment" ? null : this.view.version).catch(complain);
  }

  go(node) {
    this.connection.look(node === this.view.current ? null : node);
  }

  step(by) {
    const { line, node } = this.view;
    const next = line[line.findIndex((ply) => ply.node === node) + by];
    if (next) this.go(next.node);
  }

  // What is drawn. Everything but the hand changes only with the view.
  draw() {
    const { view, board } = this;
    if (!view) return;
    board.show(view, this.options.letters);
    board.anchors(this.options.anchors ? view.colors.filter((color) => color.in_play) : []);
    const onTurn = view.colors.find((color) => color.name === view.color);
    const own = this.options.territory && this.territory && onTurn ? this.territory[view.colors.indexOf(onTurn)] : null;
    board.territory(own, onTurn?.name);
    this.drawGhosts();
    byId("status").textContent = status(view);
    byId("scores").replaceChildren(...scores(view, Date.now() - this.arrived));
    this.keepFocus(byId("trays"), trays(view, this.shapes, this.hand.piece, (piece, isShown) => this.take(piece, isShown)));
    this.keepFocus(byId("moves"), [moves(view, this.review, (node) => this.go(node))]);
    byId("insight").replaceChildren(...[insight(view)].filter(Boolean));
    const hasGraph = this.review?.graph.filter(Boolean).length > 1;
    byId("graph").replaceChildren(...(hasGraph ? [graph(this.review, view, (node) => this.go(node)), make("small", {}, `${words.graphHelp} ${words.scale}`)] : []));
    byId("verdict").replaceChildren(...[this.review && verdict(this.review, view)].filter(Boolean));
    byId("summary").replaceChildren(...(hasGraph && this.review.moves.length ? [summary(this.review)] : []));
    byId("reach").replaceChildren(...(own ? [make("p", {}, words.reachOf(words[onTurn.name], own.reach.length, own.sealed.length, own.fits.length))] : []));
    this.keepFocus(byId("tools"), this.tools());
    this.keepFocus(byId("more"), this.more());
    this.drawHand();
  }

  /** Replaces what is in an element; the button at the same place keeps the focus. */
  keepFocus(element, children) {
    const before = [...element.querySelectorAll("button, input, select")];
    const index = before.indexOf(document.activeElement);
    const scrolled = element.firstElementChild?.scrollTop ?? 0;
    element.replaceChildren(...children.filter(Boolean));
    if (index >= 0) element.querySelectorAll("button, input, select")[index]?.focus();
    if (element.firstElementChild) element.firstElementChild.scrollTop = scrolled;
  }

  drawGhosts() {
    const { view } = this;
    const isShown = view.insight && view.color && this.hand.isEmpty;
    const ghosts = (isShown ? view.insight.candidates : []).map((candidate, rank) => ({
      cells: cellsOfMove(candidate.move, this.shapes), name: view.color, rank,
      label: percent(candidate.win ?? candidate.share),
    }));
    // The best is drawn last, over the others.
    this.board.ghosts(ghosts.filter((ghost) => ghost.cells.length).reverse());
  }

  drawHand() {
    const { hand, board, view } = this;
    byId("handkeys").replaceChildren(...(hand.isEmpty ? [] : [
      this.button(words.turn, () => this.change(() => hand.turn())), this.button(words.mirror, () => this.change(() => hand.mirror())),
      this.button(words.place, () => this.place()), this.button(words.drop, () => this.change(() => hand.drop())),
    ]));
    document.body.classList.toggle("holding", !hand.isEmpty);
    board.legal(hand.isEmpty ? [] : hand.legalCells(view));
    board.hand(hand.isEmpty || !hand.isShown ? [] : hand.cells, view.color, !hand.isEmpty && hand.isLegal(view));
  }

  button(text, onclick, attributes = {}) {
    return make("button", { type: "button", onclick, ...attributes }, text);
  }

  tools() {
    const { view } = this;
    const isHere = view.node === view.current;
    const at = view.line.findIndex((ply) => ply.node === view.node);
    return [
      this.button("⏮", () => this.go(view.line[0].node), { "aria-label": words.first, title: words.first, disabled: at === 0 }),
      this.button("◀", () => this.step(-1), { "aria-label": words.back, title: words.back, disabled: at === 0 }),
      this.button("▶", () => this.step(1), { "aria-label": words.forward, title: words.forward, disabled: at === view.line.length - 1 }),
      this.button("⏭", () => this.go(view.line.at(-1).node), { "aria-label": words.last, title: words.last, disabled: at === view.line.length - 1 }),
      this.isHost && !isHere ? this.button(words.here, () => this.act({ do: "take_back", to: view.node }).then(() => this.go(this.view.current))) : null,
      this.isHost ? this.button(words.undo, () => this.act({ do: "undo" }), { disabled: !view.can_undo }) : null,
      this.isHost ? this.button(words.redo, () => this.act({ do: "redo" }), { disabled: !view.can_redo }) : null,
      this.isHost ? this.button(words.hint, () => this.connection.tell({ type: "hint" }), { disabled: view.is_over }) : null,
      isHere && view.may_move && view.may_pass ? this.button(words.pass, () => this.act({ do: "play", move: "PASS" })) : null,
      isHere && view.is_engine_on_turn && this.isHost ? this.button(words.moveNow, () => this.connection.tell({ type: "move_now" })) : null,
      isHere && view.may_move ? this.button(words.resign, () => this.act({ do: "resign", team: this.team() })) : null,
      this.isHost && !view.has_ended ? this.button(view.is_paused ? words.resume : words.pause, () => this.act({ do: view.is_paused ? "resume" : "pause" })) : null,
    ];
  }

  team() {
    return this.view.colors.find((color) => color.name === this.view.color).team;
  }

  more() {
    const toggle = (name) => make("label", {}, make("input", {
      type: "checkbox", checked: this.options[name], onchange: (event) => {
        this.options[name] = event.target.checked;
        if (name === "territory" && event.target.checked) this.connection.tell({ type: "territory" });
        this.draw();
      },
    }), words[name]);
    const analysis = this.progress
      ? [make("progress", { value: this.progress.done, max: this.progress.total }), words.progress(this.progress.done, this.progress.total),
        this.button(words.stop, () => this.connection.tell({ type: "stop" }))]
      : [this.button(words.analyse, () => this.connection.tell({ type: "analyse", time: 500 }))];
    const save = ["blksgf", "txt", "jsonl", ...(this.view.rules === "classic" ? [] : ["xml"])];
    return [
      this.isHost ? make("div", { class: "row" }, ...analysis) : null,
      make("div", { class: "row" }, ...["anchors", "territory", "letters"].map(toggle)),
      make("div", { class: "row" }, words.save, ...save.map((kind) => make("a", { href: `/api/save/${this.token}/${kind}`, download: "" }, kind))),
      this.isHost ? make("div", { class: "row" }, this.button(words.links, () => this.showLinks())) : null,
      this.isHost ? make("textarea", {
        "aria-label": words.comment, placeholder: words.comment, rows: 2,
        onchange: (event) => this.act({ do: "comment", node: this.view.node, text: event.target.value }),
      }, this.view.line.find((ply) => ply.node === this.view.node)?.comment ?? "") : null,
    ];
  }

  async showLinks() {
    try {
      const links = (await ask(`/api/links/${this.token}`)).filter((link) => link.role !== "host");
      const names = { B: words.BLUE, Y: words.YELLOW, R: words.RED, G: words.GREEN, watch: words.watchers };
      const url = (link) => `${location.origin}/g/${link.token}`;
      const dialog = make("dialog", {}, make("p", {}, words.linkHelp),
        ...links.map((link) => make("p", {}, `${names[link.role]}: `, make("a", { href: url(link) }, url(link)))),
        this.button("OK", () => dialog.close()));
      dialog.addEventListener("close", () => dialog.remove());
      document.body.append(dialog);
      dialog.showModal();
    } catch (error) {
      complain(error);
    }
  }

  // The hand.
  take(piece, isShown) {
    if (this.hand.piece === piece) this.hand.drop();
    else this.hand.take(piece);
    this.hand.isShown = isShown;
    this.draw();
    if (isShown && !this.hand.isEmpty) this.board.svg.focus({ preventScroll: true });
  }

  change(change) {
    if (this.hand.isEmpty) return;
    change();
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
      if (!why) return;
      say(refusal(why.rule, why.text));
      this.board.wrong(why.cells);
      setTimeout(() => this.board.wrong([]), 1500);
    } catch (error) {
      complain(error);
    }
  }

  listen() {
    const { svg } = this.board;
    const follow = (event) => {
      if (this.hand.isEmpty) return;
      this.hand.isShown = true;
      this.hand.cell = this.board.cellAt(event.clientX, event.clientY);
      this.drawHand();
    };
    svg.addEventListener("pointermove", follow);
    svg.addEventListener("pointerleave", (event) => {
      if (event.pointerType !== "mouse") return;
      this.hand.isShown = false;
      if (this.view) this.drawHand();
    });
    svg.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      this.change(() => this.hand.mirror());
    });
    svg.addEventListener("wheel", (event) => {
      if (this.hand.isEmpty) return;
      event.preventDefault();
      this.change(() => this.hand.turn(event.deltaY > 0 ? 1 : -1));
    }, { passive: false });
    this.touch(svg, follow);
    addEventListener("keydown", (event) => this.key(event));
  }

  /** A mouse places with a click. A finger drags the piece and lets it lie; a tap on it turns it, a long one mirrors it. */
  touch(svg, follow) {
    let pressed = null;
    svg.addEventListener("pointerdown", (event) => {
      if (this.hand.isEmpty || event.button !== 0) return;
      const cell = this.board.cellAt(event.clientX, event.clientY);
      const isOn = this.hand.isShown && this.hand.cells.some(([x, y]) => Math.abs(x - cell[0]) <= 1 && Math.abs(y - cell[1]) <= 1);
      pressed = { time: event.timeStamp, x: event.clientX, y: event.clientY, isOn };
      if (event.pointerType === "mouse" || !isOn) follow(event);
    });
    svg.addEventListener("pointerup", (event) => {
      if (!pressed || this.hand.isEmpty) return;
      const { time, x, y, isOn } = pressed;
      pressed = null;
      if (event.pointerType === "mouse") return this.place();
      const hasMoved = Math.hypot(event.clientX - x, event.clientY - y) > 10;
      if (hasMoved || !isOn) return;
      this.change(() => (event.timeStamp - time > 500 ? this.hand.mirror() : this.hand.turn()));
    });
  }

  key(event) {
    if (!this.view || event.target.closest?.("input, textarea, select, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const keys = { r: () => this.hand.turn(), R: () => this.hand.turn(-1), f: () => this.hand.mirror(), Escape: () => this.hand.drop() };
    if (!this.hand.isEmpty) {
      if (steps[event.key]) {
        this.hand.isShown = true;
        this.change(() => this.hand.move(...steps[event.key]));
      } else if (event.key === "Enter" && !event.target.closest?.("button, a")) {
        this.place();
      } else if (keys[event.key]) {
        this.change(keys[event.key]);
      } else {
        return;
      }
      event.preventDefault();
    } else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      this.step(event.key === "ArrowLeft" ? -1 : 1);
      event.preventDefault();
    }
  }
}

async function begin() {
  document.title = words.title;
  header();
  acceptFiles();
  try {
    const shapes = await ask("/api/shapes");
    const token = location.pathname.match(/^\/g\/([0-9a-f]+)$/)?.[1];
    if (token) new GamePage(token, byId("main"), shapes);
    else await startPage(byId("main"), shapes, complain);
  } catch (error) {
    complain(error);
  }
}

begin();
