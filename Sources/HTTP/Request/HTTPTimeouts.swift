/// The timeouts of a connection. The parser has no clock; the server's timers apply them.
package struct HTTPTimeouts: Sendable, Equatable {
  /// From the first byte of a request to the end of its head.
  package var head: Duration
  /// From the end of a head to the end of its body.
  package var body: Duration
  /// For the body of an admitted form.
  package var admittedForm: Duration
  /// From the end of a response to the first byte of the next request.
  package var idle: Duration
  /// From the write of a response until the kernel has accepted its last byte.
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
