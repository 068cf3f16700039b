// Questions and lists that lie over the page.

import { isAlone, pageOf } from "./connection.js";
import { make } from "./dom.js";
import { seatName, words } from "./words.js";

/** Shows a dialog until it is closed; `finish(value)` closes it with a value, Esc with null. */
function show(fill) {
  return new Promise((resolve) => {
    let value = null;
    const dialog = make("dialog");
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

/** Asks before something that cannot be taken back. */
export const confirmed = (text) => show((finish) => [
  make("p", {}, text),
  make("div", { class: "row" },
    make("button", { type: "button", class: "main", onclick: () => finish(true) }, words.yes),
    make("button", { type: "button", onclick: () => finish(false) }, words.no)),
]);

/** Who can sit somewhere, as values of a list and seats. */
export function seatChoices(programs) {
  const levels = Array.from({ length: 9 }, (_, i) => ({ kind: "level", level: i + 1 }));
  const named = programs.map((name) => ({ kind: "program", name }));
  return [{ kind: "person" }, ...(isAlone ? [] : [{ kind: "guest" }]), ...levels, ...named].map((seat) => [JSON.stringify(seat), seatName(seat) || words.person]);
}

/** Who plays which colour, with the links of all seats. */
export const showSeats = (view, links, programs, sit) => show((finish) => {
  const url = (role) => pageOf(links.find((link) => link.role === role).token);
  const isThere = (role) => links.some((link) => link.role === role);
  const copy = (role) => make("button", {
    type: "button", onclick: async (event) => {
      const button = event.target;
      try {
        await navigator.clipboard.writeText(url(role));
        button.textContent = words.copied;
      } catch {
        // Where the clipboard is closed to the page, the link can be copied by hand.
        button.replaceWith(make("code", {}, url(role)));
      }
    },
  }, words.copyLink);
  const seat = (color) => {
    const now = JSON.stringify(color.seat);
    const options = seatChoices(programs).map(([value, text]) => make("option", { value, selected: value === now }, text));
    const select = make("select", { "aria-label": words[color.name], onchange: (event) => sit(color.name, JSON.parse(event.target.value)) }, ...options);
    return make("tr", {}, make("th", { scope: "row" }, make("i", { class: `key ${color.name}` }), ` ${words[color.name]}`), make("td", {}, select), isAlone ? null : make("td", {}, copy(color.name[0])));
  };
  // Games of earlier versions have no links of teams.
  const others = [["BR", words.ONE], ["YG", words.TWO], ["watch", words.watchers]].filter(([role]) => !isAlone && isThere(role));
  const other = ([role, name]) => make("tr", {}, make("th", { scope: "row", colspan: 2 }, name), make("td", {}, copy(role)));
  return [
    make("h2", {}, isAlone ? words.players : words.seats),
    make("table", { class: "seats" }, ...view.colors.map(seat), ...others.map(other)),
    make("p", { class: "help" }, isAlone ? words.alone : words.linkHelp),
    make("div", { class: "row" }, make("button", { type: "button", class: "main", onclick: () => finish(null) }, words.close)),
  ];
});
