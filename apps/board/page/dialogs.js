// Questions and lists that lie over the page.

import { isStandalone, pageOf } from "./connection.js";
import { button, make } from "./dom.js";
import { keep, kept } from "./settings.js";
import { seatName, words } from "./words.js";

/** Shows a dialog until it is closed; `finish(value)` closes it with a value, Esc with null. */
export function show(fill, attributes = {}) {
  return new Promise((resolve) => {
    let value = null;
    const dialog = make("dialog", attributes);
    const finish = (chosen) => {
      value = chosen;
      dialog.close();
    };
    dialog.append(...fill(finish));
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(value);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Asks before an action that cannot be undone. */
export const confirmed = (text, action) =>
  show((finish) => [
    make("p", {}, text),
    make(
      "div",
      { class: "row" },
      button(action, () => finish(true), "main"),
      button(words.cancel, () => finish(false)),
    ),
  ]);

/** Creates the content of a dialog that changes a name, with more buttons; `save(name)` gets the name. */
const nameForm = (title, label, value, save, ...buttons) => {
  const name = make("input", { "aria-label": label, placeholder: label, maxlength: 40, value });
  const rename = (event) => {
    event.preventDefault();
    save(name.value.trim());
  };
  return [
    make("h2", {}, title),
    make(
      "form",
      { class: "row", onsubmit: rename },
      name,
      make("button", { class: "main", type: "submit" }, words.rename),
    ),
    make("div", { class: "row" }, ...buttons),
  ];
};

/** Shows the menu of a game in the list. Returns `{ name }`, `{ isDeleted }` or null. */
export const askGame = (game, title) =>
  show((finish) => {
    const remove = async () => {
      if (await confirmed(words.deleteQuestion(title), words.remove)) finish({ isDeleted: true });
    };
    return nameForm(
      title,
      words.gameName,
      game.name ?? "",
      (name) => finish({ name }),
      button(words.remove, remove),
      button(words.close, () => finish(null)),
    );
  });

/** Shows the menu of a variation. Returns an action, or null. A move of the played game cannot be deleted. */
export const askVariation = ({ node, label }, isPlayed) =>
  show((finish) =>
    nameForm(
      words.variation,
      words.variationName,
      label,
      (name) => finish({ do: "label", node, name }),
      button(words.promote, () => finish({ do: "promote", node })),
      button(words.remove, () => finish({ do: "delete", node }), "", {
        disabled: isPlayed,
        title: isPlayed && words.played,
      }),
      button(words.close, () => finish(null)),
    ),
  );

/** Returns the possible seats as values and texts of a list. */
function seatChoices(programs) {
  const levels = Array.from({ length: 9 }, (_, i) => ({ kind: "level", level: i + 1 }));
  const named = programs.map((name) => ({ kind: "program", name }));
  return [{ kind: "person" }, ...(isStandalone ? [] : [{ kind: "guest" }]), ...levels, ...named].map((seat) => [
    JSON.stringify(seat),
    seatName(seat) || words.person,
  ]);
}

/** Creates a button that copies the link that `linkOf()` returns, if any. */
export const copyLinkButton = (linkOf, name = "") =>
  button(
    words.copyLink,
    async ({ target }) => {
      const link = await linkOf();
      if (!link) return;
      try {
        await navigator.clipboard.writeText(link);
        target.textContent = words.copied;
      } catch {
        // Without access to the clipboard, the link can be copied by hand.
        target.replaceWith(make("code", {}, link));
      }
    },
    name,
  );

/** Creates a button that copies the link of a role. */
const copyButton = (links, role, name = "") =>
  copyLinkButton(() => pageOf(links.find((link) => link.role === role).token), name);

/** Returns the name that the user of this browser has chosen. */
export const ownName = () => kept("name") ?? words.defaultName;

/** Asks for the user's name, once; without an answer the default counts. */
export async function askName() {
  if (kept("name") !== null) return kept("name");
  const input = make("input", {
    "aria-label": words.yourName,
    maxlength: 40,
    value: words.defaultName,
    autocomplete: "nickname",
  });
  const name = await show((finish) => [
    make(
      "form",
      {
        onsubmit: (event) => {
          event.preventDefault();
          finish(input.value.trim());
        },
      },
      make("p", {}, words.nameQuestion),
      make("div", { class: "row" }, input, make("button", { class: "main", type: "submit" }, words.ok)),
    ),
  ]);
  keep("name", name || words.defaultName);
  return kept("name") ?? words.defaultName;
}

/** Shows the links of a new game: for the guest and for watchers. */
export const showInvitation = (links, colors) => {
  const guests = colors.filter((color) => color.seat.kind === "guest");
  const role = guests.map((color) => color.name[0]).join("");
  return show((finish) => [
    make("h2", {}, words.invite),
    make("p", {}, words.inviteHelp),
    make("div", { class: "row invited" }, make("span", {}, words.inviteGuest), copyButton(links, role, "main")),
    make("div", { class: "row invited" }, make("span", {}, words.inviteWatchers), copyButton(links, "watch")),
    make(
      "div",
      { class: "row" },
      button(words.close, () => finish(null)),
    ),
  ]);
};

/** Shows the players of the colours and the links of all seats. Links that let nobody play cannot be copied. */
export const showSeats = (view, links, programs, sit) =>
  show((finish) => {
    const isThere = (role) => links.some((link) => link.role === role);
    const kinds = Object.fromEntries(view.colors.map((color) => [color.name[0], color.seat.kind]));
    const copies = new Map();
    const allow = () =>
      copies.forEach(
        (copy, role) => (copy.disabled = role !== "watch" && ![...role].some((letter) => kinds[letter] === "guest")),
      );
    const copy = (role) => {
      copies.set(role, copyButton(links, role));
      return copies.get(role);
    };
    const change = (color, seat) => {
      kinds[color[0]] = seat.kind;
      allow();
      sit(color, seat);
    };
    const seat = (color) => {
      const now = JSON.stringify(color.seat);
      const options = seatChoices(programs).map(([value, text]) =>
        make("option", { value, selected: value === now }, text),
      );
      const select = make(
        "select",
        { "aria-label": words[color.name], onchange: (event) => change(color.name, JSON.parse(event.target.value)) },
        ...options,
      );
      return make(
        "tr",
        {},
        make("th", { scope: "row" }, make("i", { class: `key ${color.name}` }), ` ${words[color.name]}`),
        make("td", {}, select),
        isStandalone ? null : make("td", {}, copy(color.name[0])),
      );
    };
    // Games of earlier versions have no links of teams.
    const others = [
      ["BR", words.ONE],
      ["YG", words.TWO],
      ["watch", words.watchers],
    ].filter(([role]) => !isStandalone && isThere(role));
    const other = ([role, name]) =>
      make("tr", {}, make("th", { scope: "row", colspan: 2 }, name), make("td", {}, copy(role)));
    const seats = make("table", { class: "seats" }, ...view.colors.map(seat), ...others.map(other));
    allow();
    return [
      make("h2", {}, isStandalone ? words.players : words.seats),
      seats,
      make("p", { class: "help" }, isStandalone ? words.alone : words.linkHelp),
      make(
        "div",
        { class: "row" },
        button(words.close, () => finish(null), "main"),
      ),
    ];
  });
