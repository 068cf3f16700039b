// Sets up a position by hand: pieces of any colour in any order, each as its colour could place it, and the colour to move.

import { Board, COLORS } from "./board.js";
import { setUp } from "./connection.js";
import { button, byId, make } from "./dom.js";
import { Drawing } from "./drawing.js";
import { Hand } from "./hand.js";
import { Input } from "./input.js";
import { SIZE, cellNumber } from "./piece.js";
import { isFresh, tray } from "./tray.js";
import { refusal, words } from "./words.js";

/** Turns of a round: one of each colour. */
const ROUND = COLORS.length;

/** Returns the connected cells of one colour that contain a cell. */
function pieceAt(letters, cell) {
  const found = new Set([cell]);
  for (const at of found) {
    const beside = [at % SIZE > 0 && at - 1, at % SIZE < SIZE - 1 && at + 1, at - SIZE, at + SIZE];
    for (const other of beside) if (other !== false && letters[other] === letters[cell]) found.add(other);
  }
  return found;
}

export class SetupPage extends Drawing {
  /** `game` is the game that starts from the position; `done(position)` gets its notation, or null to go back. */
  constructor(main, shapes, game, say, done) {
    super();
    Object.assign(this, {
      shapes,
      game,
      say,
      done,
      view: null,
      drawn: {},
      color: 0,
      toMove: 0,
      mayPlace: true,
      isChanged: false,
    });
    this.hand = new Hand(shapes);
    const region = (id, name = "div", attributes = {}) => make(name, { id, ...attributes });
    const end = (position) => {
      this.ending.abort();
      document.body.classList.remove("holding");
      done(position);
    };
    main.replaceChildren(
      make(
        "div",
        { class: "game setup" },
        make("div", { class: "middle" }, make("h1", {}, words.setUp), region("colors"), region("boardplace")),
        make(
          "div",
          { class: "left" },
          region("tray"),
          region("handkeys", "div", { role: "group", "aria-label": words.held }),
        ),
        make(
          "div",
          { class: "right" },
          make("p", { class: "help" }, words.setUpHelp),
          region("tomove"),
          make(
            "div",
            { class: "row" },
            button(words.start, () => end(this.notation(this.view.board, this.toMove)), "main"),
            button(words.goBack, () => end(null)),
          ),
        ),
        region("spoken", "p", { class: "hidden", "aria-live": "polite" }),
      ),
    );
    this.board = new Board(byId("boardplace"));
    this.ending = new AbortController();
    const { signal } = this.ending;
    // The click that places a piece must not remove it again.
    let isFree = false;
    byId("boardplace").addEventListener("pointerdown", () => (isFree = this.hand.isEmpty), { capture: true, signal });
    byId("boardplace").addEventListener("click", (event) => isFree && this.remove(this.input.cellAt(event)), {
      signal,
    });
    this.input = new Input(this, byId("tray"), signal);
    // The browser asks before it leaves a changed position.
    addEventListener("beforeunload", (event) => this.isChanged && event.preventDefault(), { signal });
    this.load(game).then(
      () => {
        this.toMove = this.color = COLORS.indexOf(this.view.color);
        this.draw();
      },
      (error) => {
        this.say(refusal(error.refusal, error.message));
        end(null);
      },
    );
  }

  async load(game) {
    this.view = (await setUp({ game, why: null })).view;
    this.draw();
  }

  /** Returns the notation of a position, in a round that has time for all pieces on the board. */
  notation(letters, color) {
    const [rules, start] = this.view.position.split(" ");
    const rows = letters.match(/.{20}/g).map((row) => row.replace(/\.+/g, (empty) => empty.length));
    const round = Math.max(...this.view.colors.map(({ remaining }) => this.shapes.pieces.length - remaining.length));
    return `${rules} ${start} ${round * ROUND + color} BYRG - ${rows.join("/")}`;
  }

  at(letters) {
    return { ...this.game, position: this.notation(letters, this.color) };
  }

  /** Shows a position for the colour whose pieces are placed. */
  changeTo(letters) {
    this.isChanged ||= letters !== this.view.board;
    return this.load(this.at(letters)).catch((error) => this.say(refusal(error.refusal, error.message)));
  }

  step() {}

  toEnd() {}

  remove(place) {
    const { board } = this.view;
    const cell = cellNumber(place);
    if (board[cell] === "." || board[cell] === undefined) return;
    const gone = pieceAt(board, cell);
    this.color = "BYRG".indexOf(board[cell]);
    this.changeTo([...board].map((letter, i) => (gone.has(i) ? "." : letter)).join(""));
  }

  async place() {
    const { hand, view } = this;
    if (hand.isEmpty) return;
    if (!hand.isLegal(view)) {
      try {
        const { why } = await setUp({ game: this.at(view.board), why: [hand.shape, ...hand.corner] });
        if (why) this.forbid(why);
      } catch (error) {
        this.say(refusal(error.refusal, error.message));
      }
      return;
    }
    const letters = [...view.board];
    for (const cell of hand.cells) letters[cellNumber(cell)] = view.color[0];
    hand.drop();
    await this.changeTo(letters.join(""));
  }

  draw() {
    const { view, board, hand, shapes } = this;
    if (!view) return;
    const color = view.colors[this.color];
    board.show(view, { last: false, anchors: false, letters: false });
    board.starts(hand.isEmpty && isFresh(color, shapes) ? color.anchors : [], color.name);
    const choose = (name, legend, chosen, change) =>
      make(
        "fieldset",
        {},
        make("legend", {}, legend),
        make(
          "div",
          { class: "choice" },
          ...COLORS.map((one, i) =>
            make(
              "label",
              {},
              make("input", { type: "radio", name, value: one, checked: i === chosen, onchange: () => change(i) }),
              make("span", {}, make("i", { class: `key ${one}` }), ` ${words[one]}`),
            ),
          ),
        ),
      );
    this.fill("colors", this.color, () => [
      choose("color", words.piecesOf, this.color, (i) => {
        this.color = i;
        hand.drop();
        this.changeTo(this.view.board);
      }),
    ]);
    this.fill("tomove", this.toMove, () => [
      choose("tomove", words.toMove, this.toMove, (i) => {
        this.toMove = i;
        this.draw();
      }),
    ]);
    this.fill("tray", [view.position, hand.piece?.name], () => [
      tray(view, shapes, color, hand.piece, true, (piece) => this.take(piece)),
    ]);
    this.drawHand();
  }
}
