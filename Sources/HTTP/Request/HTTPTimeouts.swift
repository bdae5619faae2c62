/// The timeouts of a connection. The parser has no clock; the server's timers apply them.
package struct HTTPTimeouts: Sendable, Equatable {
  /// From the first byte of a request to the end of its head.
  package var head = Duration.seconds(10)
  /// From the end of a head to the end of its body.
  package var body = Duration.seconds(60)
  /// For the body of an admitted form.
  package var admittedForm = Duration.seconds(300)
  /// From the end of a response to the first byte of the next request.
  package var idle = Duration.seconds(75)
  /// From the write of a response until the kernel has accepted its last byte.
  package var write = Duration.seconds(30)

  package init() {}
}
