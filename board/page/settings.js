// What somebody has chosen, kept in this browser.

const read = (name) => {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
};

/** A group of settings with their values unless something else was chosen; `set` keeps a choice. */
export class Settings {
  constructor(name, values) {
    this.name = name;
    const kept = read(name) ?? {};
    for (const key of Object.keys(values)) this[key] = kept[key] ?? values[key];
  }

  set(key, value) {
    this[key] = value;
    const { name, ...values } = this;
    localStorage.setItem(name, JSON.stringify(values));
  }
}

/** Light, dark, or what the system says. */
export function applyTheme(theme) {
  document.documentElement.dataset.theme = theme;
}
