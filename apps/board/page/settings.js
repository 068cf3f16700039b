// Settings, kept in this browser.

/** Returns the value of a name; null if the browser stores nothing. */
export function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}

export function keep(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Without storage, it lasts for this page only.
  }
}

/** A group of settings with their defaults; `set` stores a choice. */
export class Settings {
  constructor(name, values) {
    this.name = name;
    const chosen = kept(name) ?? {};
    for (const key of Object.keys(values)) this[key] = chosen[key] ?? values[key];
  }

  set(key, value) {
    this[key] = value;
    const { name, ...values } = this;
    keep(name, values);
  }
}

/** Sets the theme: light, dark, or the choice of the system. */
export function applyTheme(theme) {
  document.documentElement.dataset.theme = theme;
}
