// Links that contain a game: its record, compressed, in the fragment of the address.

import { home, textOf } from "./connection.js";
import { Refused } from "./channel.js";
import { words } from "./words.js";

/** Maximum length of a packed game. */
const MAX_LENGTH = 100_000;

const through = async (bytes, stream) =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

/** Returns a link that contains a game. */
export async function shareLink(token) {
  const packed = await through(await textOf(token, "blksgf"), new CompressionStream("deflate-raw"));
  const text = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
  if (text.length > MAX_LENGTH) throw new Refused("text_too_long", "");
  return `${new URL(home, location.href)}#share=${text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** Takes the game out of the address and returns it as a file, or null without one. */
export async function takeSharedGame() {
  const text = /^#share=(.*)$/.exec(location.hash)?.[1];
  if (text === undefined) return null;
  history.replaceState(null, "", home);
  try {
    if (text.length > MAX_LENGTH) throw new RangeError();
    const packed = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
      letter.charCodeAt(0),
    );
    return new File([await through(packed, new DecompressionStream("deflate-raw"))], "link");
  } catch {
    throw new Refused("file", words.linkRefused);
  }
}
