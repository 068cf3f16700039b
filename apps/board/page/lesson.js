// Learning from mistakes: one own mistake after the other, with a search for a better move.

import { button, make } from "./dom.js";
import { moveButton } from "./piece.js";
import { SIGNS, percent, words } from "./words.js";

/** Maximum loss of win probability of a good answer. */
const MAX_LOSS = 0.05;
/** Time of the search for an answer, in milliseconds. */
const SEARCH_TIME = 1000;
/** Interval at which a lesson checks for the result, in milliseconds. */
const POLL_INTERVAL = 250;
/** Time after which a lesson stops waiting for the result, in milliseconds. */
const TIMEOUT = 10_000;

/** Returns the mistakes of a team that have a better move. */
export const mistakesOf = (review, team) =>
  review.moves.filter((move) => move.team === team && move.mark && move.better.length);

export class Lesson {
  /** `line` are the plies of the game; a task begins at the node before its mistake. */
  constructor(review, line, team) {
    const nodes = line.map((ply) => ply.node);
    this.tasks = mistakesOf(review, team).map((mistake) => {
      const i = nodes.indexOf(mistake.node);
      return { mistake, number: i, played: line[i].move, node: nodes[i - 1] };
    });
    Object.assign(this, { at: 0, answer: null });
  }

  get task() {
    return this.tasks[this.at];
  }

  get isLast() {
    return this.at === this.tasks.length - 1;
  }

  next() {
    Object.assign(this, { at: this.at + 1, answer: null });
  }

  /** Judges a move: `best`, `same` as in the game, or after a search `good` or `bad`; `unknown` without one. */
  async judge(move, connection) {
    const { mistake, played } = this.task;
    const answer = (kind, win = null) => (this.answer = { move, win, kind });
    if (move === mistake.better[0].move) return answer("best");
    if (move === played) return answer("same");
    const asked = answer("judging");
    connection.send({ type: "hint", time: SEARCH_TIME, after: move });
    for (let waited = 0; waited < TIMEOUT; waited += POLL_INTERVAL) {
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL));
      if (this.answer !== asked) return null;
      const request = connection.request({ type: "evaluation", move });
      const { win, is_done: isDone } = await request.catch((error) => {
        if (this.answer === asked) answer("unknown");
        throw error;
      });
      if (isDone) return answer(win >= mistake.before - MAX_LOSS ? "good" : "bad", win);
    }
    return answer("unknown");
  }

  /** Draws the task with its buttons; `on.show(i)` shows the better line, `on.next()` and `on.end()` continue. */
  draw(on) {
    const { mistake, number, played } = this.task;
    const { answer } = this;
    const color = mistake.better[0].color;
    const isSolved = answer && ["best", "good", "shown"].includes(answer.kind);
    const line = mistake.better.slice(0, 5).map((move, i) => moveButton(move, () => on.show(i)));
    return make(
      "div",
      { class: "lesson" },
      make("p", {}, make("b", {}, words.lessonOf(this.at + 1, this.tasks.length))),
      make(
        "p",
        {},
        `${words.moveOf(number, words[color])}: ${SIGNS[mistake.mark]} ${words[mistake.mark]}. ${words.lessonTask}`,
      ),
      make(
        "p",
        { class: `answer ${answer?.kind ?? ""}`, role: "status" },
        answer
          ? words.answers[answer.kind](answer.win === null ? "" : percent(answer.win))
          : words.lessonHelp(percent(mistake.before), percent(mistake.after)),
      ),
      make("div", { class: "betterline" }, ...(isSolved ? [make("span", {}, `${words.better}:`), ...line] : [])),
      make(
        "div",
        { class: "row" },
        isSolved ? null : button(words.showAnswer, () => on.reveal()),
        this.isLast ? null : button(words.nextMistake, () => on.next(), isSolved ? "main" : ""),
        button(this.isLast && isSolved ? words.lessonDone : words.lessonEnd, () => on.end()),
      ),
    );
  }
}
