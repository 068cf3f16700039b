// The page: the start, or a game behind a link.

import { allShapes, canStart, home, linkOfPage, pageOf } from "./connection.js";
import { button, byId, make } from "./dom.js";
import { failure } from "./failure.js";
import { GamePage } from "./game.js";
import { showRules } from "./howto.js";
import { Settings, applyTheme } from "./settings.js";
import { takeSharedGame } from "./share.js";
import { importFiles, startPage } from "./start.js";
import { Refused } from "./channel.js";
import { refusal, switchLanguage, words } from "./words.js";

let toastTimer = null;
function say(text) {
  const toast = byId("toast");
  toast.replaceChildren(make("span", {}, text));
  clearTimeout(toastTimer);
  // Long texts stay long enough to read.
  toastTimer = setTimeout(() => toast.replaceChildren(), Math.max(5000, 70 * text.length));
}
const showError = (error) => say(refusal(error.refusal, error.message));

/** Draws the header; `isGame` is `true` if the page shows a game, so that a link leads to a new one. */
function header(isGame) {
  const look = new Settings("look", { theme: "auto" });
  applyTheme(look.theme);
  const themes = ["auto", "light", "dark"];
  const theme = make(
    "select",
    {
      "aria-label": words.theme,
      title: words.theme,
      onchange: (event) => {
        look.set("theme", event.target.value);
        applyTheme(look.theme);
      },
    },
    ...themes.map((name) =>
      make("option", { value: name, selected: name === look.theme }, `◐\uFE0E ${words[`theme_${name}`]}`),
    ),
  );
  const language = document.documentElement.lang === "de" ? "en" : "de";
  byId("header").replaceChildren(
    make(
      "a",
      { class: "home", href: home },
      ...["BLUE", "YELLOW", "RED", "GREEN"].map((color) => make("i", { class: `key ${color}` })),
      make("strong", {}, words.title),
    ),
    ...(isGame && canStart
      ? [
          make(
            "a",
            { class: "new", href: home, "data-short": words.newShort, "aria-label": words.newGame },
            make("span", {}, words.newGame),
          ),
        ]
      : []),
    button(make("span", {}, words.howTo), showRules, "howtobutton", { "aria-label": words.howTo }),
    make("span", { class: "space" }),
    theme,
    button(words.language, switchLanguage, "language", { lang: language }),
  );
}

function acceptFiles(enter) {
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    importFiles(event.dataTransfer.files, enter).catch(showError);
  });
}

async function begin() {
  document.title = words.title;
  header(linkOfPage() !== null);
  try {
    const shapes = await allShapes();
    let game = null;
    const show = (token) => {
      game?.end();
      header(true);
      game = new GamePage(token, byId("main"), shapes, say, enter);
    };
    // Opens a game as its host. One that the browser cannot store would be gone with this page.
    const enter = (links, hash = "") => {
      const { token, isTemporary } = links.find((link) => link.role === "host");
      if (isTemporary) show(token);
      else location.assign(pageOf(token) + hash);
    };
    acceptFiles(enter);
    const token = linkOfPage();
    const shared = token === null ? await takeSharedGame() : null;
    if (shared) await importFiles([shared], enter, (_, reason) => `${words.linkRefused} (${reason})`);
    else if (token === null) await startPage(byId("main"), shapes, enter, say);
    else if (token === "") throw new Refused("no_link", location.href);
    else show(token);
  } catch (error) {
    byId("main").replaceChildren(failure(error));
  }
}

// The browser may restore the page after a step back; its games would be those of then.
addEventListener("pageshow", (event) => event.persisted && location.reload());
begin();
