// Notices that a connection is lost although nothing has closed it, as after the sleep of a computer or in another network.

/** The server sends a comment to a silent event stream every 15 seconds (ms), and responds to each ping of a WebSocket. */
const period = 30_000;

export class Silence {
  #hasHeard = true;
  #timer;

  /** Calls `lost()` after a period in which nothing was heard. Each but the first begins with `ask()`, to which the server responds. */
  constructor(lost, ask = () => {}) {
    this.#timer = setInterval(() => {
      if (!this.#hasHeard) return lost();
      this.#hasHeard = false;
      return ask();
    }, period);
  }

  heard() { this.#hasHeard = true; }

  end() { clearInterval(this.#timer); }
}
