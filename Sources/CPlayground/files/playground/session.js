// A session without accounts: an application with accounts replaces this module. A session sends a "change" event after each
// sign-in and sign-out.

export class Session extends EventTarget {
  /** The signed-in user, or null. */
  get viewer() { return null; }

  /** The access token to send, or null. */
  async token() { return null; }

  /** The people whom a request can be run as, each { id, name }. */
  get people() { return []; }

  /** The access token of one of the people, or null. */
  async tokenOf() { return null; }

  /** Called with the errors of a response to a request that had the token. */
  heard() {}
}
