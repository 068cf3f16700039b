// The buttons of a game and the field for a comment.

import { button, make } from "./dom.js";
import { words } from "./words.js";

/** Returns the buttons that step through the moves. */
export function steps(game, isLine) {
  const arrow = (text, name, onclick, isAtEnd) =>
    button(text, onclick, "", { "aria-label": name, title: name, disabled: isAtEnd && !isLine });
  const [isFirst, isLast] = [game.index === 0, game.index === game.view.line.length - 1];
  return [
    arrow("|◀\uFE0E", words.toStart, () => game.toEnd(false), isFirst),
    arrow("◀\uFE0E", words.back, () => game.step(-1), isFirst),
    arrow("▶\uFE0E", words.forward, () => game.step(1), isLast),
    arrow("▶\uFE0E|", words.toEnd, () => game.toEnd(true), isLast),
  ];
}

/** Returns the actions. They keep their places, so that nothing moves when one cannot be used. Watchers have none. */
export function tools(game, plays, isHere) {
  const { view, isHost } = game;
  const tool = (text, onclick, isUsable) => button(text, onclick, "", { disabled: !isUsable });
  const hint = () => {
    game.ask();
    game.showBoard();
  };
  const pause = () => game.act({ do: game.view.is_paused ? "resume" : "pause" });
  const moveNow = () => game.connection.send({ type: "move_now" });
  const isMine = isHere && view.may_move;
  return [
    isHost && tool(`↶ ${words.undo}`, () => game.act({ do: "undo" }), view.can_undo),
    isHost && tool(`↷ ${words.redo}`, () => game.act({ do: "redo" }), view.can_redo),
    isHost && tool(`★ ${words.hint}`, hint, !view.is_over),
    plays && tool(words.pass, () => game.act({ do: "play", move: "PASS" }), isMine && view.may_pass),
    plays && tool(words.resign, () => game.resign(), isMine),
    isHost && tool(words.moveNow, moveNow, isHere && view.is_engine_on_turn),
    isHost && tool(view.is_paused ? words.resume : words.pause, pause, !view.has_ended),
    isHost && tool(words.goOnHere, () => game.takeBack(), !isHere),
    !isHost && !plays && make("p", { class: "help" }, words.watching),
  ];
}

/** Returns the buttons that turn, mirror, place and drop the held piece. */
export function handKeys(game) {
  const key = (icon, text, name, onclick) =>
    make(
      "button",
      { type: "button", onclick, disabled: game.hand.isEmpty, title: name, "aria-label": name },
      make("span", {}, icon),
      text && make("span", {}, text),
    );
  return [
    key("⟳", words.turnShort, words.turn, () => game.change((held) => held.turn())),
    key("⇋", words.mirrorShort, words.mirror, () => game.change((held) => held.mirror())),
    key("✓", words.placeShort, words.place, () => game.place()),
    key("✕", "", words.drop, () => game.change((held) => held.drop())),
  ];
}

/** Maximum length of a comment, as in the service. */
const MAX_COMMENT = 20_000;

/** Returns the field for the comment on the shown move; viewers can only read it. */
export function commentField(game, comment) {
  const { view } = game;
  if (!game.isHost) return comment && make("p", {}, comment);
  const save = (event) => game.act({ do: "comment", node: view.node, text: event.target.value }, null);
  const attributes = { "aria-label": words.comment, placeholder: words.comment, rows: 2, maxLength: MAX_COMMENT };
  return make("textarea", { ...attributes, onchange: save, onblur: () => game.draw() }, comment);
}
