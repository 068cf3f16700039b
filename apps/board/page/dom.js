// Creates elements. Text from files is never parsed as HTML.

const SVG = "http://www.w3.org/2000/svg";

/** Gives an element attributes; `on…` are listeners, null and false are left out. */
function furnish(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Creates an element. */
export const make = (name, attributes = {}, ...children) => furnish(document.createElement(name), attributes, children);

/** Creates a button; `name` are its classes. */
export const button = (content, onclick, name = "", attributes = {}) =>
  make("button", { type: "button", class: name, onclick, ...attributes }, content);

/** Creates an element of a drawing. */
export const draw = (name, attributes = {}, ...children) =>
  furnish(document.createElementNS(SVG, name), attributes, children);

export const byId = (id) => document.getElementById(id);
