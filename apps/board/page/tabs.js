// Tabs, as the WAI describes them: arrow keys go from one to the next.

import { make } from "./dom.js";
import { words } from "./words.js";

export class Tabs {
  /** `panels` are lists of elements by name; `changed` is called after a choice. */
  constructor(panels, changed) {
    this.names = Object.keys(panels);
    this.changed = changed;
    this.buttons = this.names.map((name) =>
      make(
        "button",
        {
          type: "button",
          role: "tab",
          id: `tab-${name}`,
          "aria-controls": `panel-${name}`,
          onclick: () => this.choose(name),
        },
        words.tabs[name],
      ),
    );
    this.panels = this.names.map((name) =>
      make(
        "div",
        { class: "panel", role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}` },
        ...panels[name],
      ),
    );
    const list = make(
      "div",
      { class: "tabs", role: "tablist", onkeydown: (event) => this.key(event) },
      ...this.buttons,
    );
    this.element = make("div", { class: "tabbed" }, list, ...this.panels);
    this.show(this.names[0]);
  }

  show(name) {
    this.chosen = name;
    this.names.forEach((other, i) => {
      this.buttons[i].setAttribute("aria-selected", String(other === name));
      this.buttons[i].tabIndex = other === name ? 0 : -1;
      this.panels[i].hidden = other !== name;
    });
  }

  choose(name) {
    this.show(name);
    this.changed();
  }

  key(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    const next = (this.names.indexOf(this.chosen) + by + this.names.length) % this.names.length;
    this.choose(this.names[next]);
    this.buttons[next].focus();
    event.preventDefault();
    event.stopPropagation();
  }
}
