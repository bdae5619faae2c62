// Nobody signs in here: an application that has accounts puts a module of its own in this one's place. It sends a "change"
// event whenever somebody signs in or out.

export class Session extends EventTarget {
  /** Who is signed in, or null. */
  get viewer() { return null; }

  /** The access token to send, or null. */
  async token() { return null; }

  /** Called with the errors of a response to a request that had the token. */
  heard() {}
}
