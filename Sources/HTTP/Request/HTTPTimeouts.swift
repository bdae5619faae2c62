/// How long a client may take. The parser has no clock: the server's timers go by these.
package struct HTTPTimeouts: Sendable, Equatable {
  /// From a request's first byte to the end of its head.
  package var head: Duration
  /// From the end of a head to the end of its body.
  package var body: Duration
  /// The same for the body of a form that was admitted.
  package var admittedForm: Duration
  /// From the end of an answer to the first byte of the next request.
  package var idle: Duration
  /// From handing an answer to the system to its last byte being taken.
  package var write: Duration

  package init(
    head: Duration = .seconds(10),
    body: Duration = .seconds(60),
    admittedForm: Duration = .seconds(300),
    idle: Duration = .seconds(75),
    write: Duration = .seconds(30)
  ) {
    self.head = head
    self.body = body
    self.admittedForm = admittedForm
    self.idle = idle
    self.write = write
  }
}
