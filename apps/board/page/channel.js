// The messages between a page and the host of its game, independent of the transport.

export class Refused extends Error {
  constructor(name, text) {
    super(text);
    this.refusal = name;
  }
}

/** Wraps a request: the second click of a double click gets the answer to the first. */
export function once(request) {
  let pending = null;
  const forget = () => (pending = null);
  return (value) => {
    if (!pending) {
      pending = request(value);
      pending.then(() => setTimeout(forget, 1000), forget);
    }
    return pending;
  };
}

/**
 * A game. Calls `on.view`, `on.message` and `on.state(isConnected, why)`, and `on.refused(error)` if the game cannot be
 * opened. Subclasses have `send(message)`, which returns `true` if the message is on its way.
 */
export class GameChannel {
  constructor(on) {
    Object.assign(this, { on, next: 1, waiting: new Map(), node: null });
  }

  receive(message) {
    const waiting = this.waiting.get(message.id);
    if (waiting) {
      this.waiting.delete(message.id);
      if (message.type === "refused") waiting.reject(new Refused(message.error, message.text));
      else waiting.resolve(message);
    } else if (message.type === "view") {
      this.on.view(message);
    } else {
      this.on.message(message);
    }
  }

  /** Rejects all pending requests. */
  disconnected(why) {
    this.on.state(false, why);
    for (const { reject } of this.waiting.values()) reject(new Refused("connection", ""));
    this.waiting.clear();
  }

  /** Sends something and waits for its answer. */
  request(message) {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      if (this.send({ ...message, id })) return;
      this.waiting.delete(id);
      reject(new Refused("connection", ""));
    });
  }

  act(action, on = null) {
    return this.request({ type: "act", action, on });
  }

  look(node) {
    this.node = node;
    this.send({ type: "look", node });
  }
}
