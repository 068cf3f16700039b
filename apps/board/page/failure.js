// The page that replaces one that cannot be shown.

import { home, linkOfPage } from "./connection.js";
import { make } from "./dom.js";
import { refusal, words } from "./words.js";

/** Shows the error, with a link to the first page unless this is it. */
export const failure = (error) =>
  make(
    "section",
    { class: "card failure" },
    make("p", { role: "alert" }, refusal(error.refusal, error.message)),
    linkOfPage() === null ? null : make("p", {}, make("a", { href: home }, words.toFirstPage)),
  );
