import EventLoop
import HTTP
import WebSocket

/// Switching a connection to a streamed response or a WebSocket, which takes over its stream.
extension HTTPConnection {
  func begin(_ headers: HeaderBlock, writer: any ResponseStreamWriter, of request: HTTPRequest) {
    guard !isDraining else { return endWhileDraining() }
    if let excess = chargeHeld(request) { return end(past: excess) }
    var encoder = ResponseEncoder(answering: request)
    encoder.date = serverLoop.date
    encoder.keepAlive = false
    let isChunked = encoder.encodeStreamHead(.ok, headers: headers, into: &stream.output)
    let (serverLoop, id) = (serverLoop, ObjectIdentifier(stream))
    let charge = takeCharge()
    let network = network(of: request)
    let unsent = UnsentBytes(of: serverLoop.unsentResponses, network: network, options: serverLoop.options)
    let connection = ResponseStream(
      leave(),
      isChunked: isChunked,
      writer: writer,
      charge: charge,
      unsent: unsent,
      timeouts: serverLoop.timeouts
    ) { serverLoop.remove(id) }
    serverLoop.replace(id, with: connection)
    connection.assumeOnLoop { $0.start() }
  }

  func upgrade(_ request: HTTPRequest, handshake: WebSocketHandshake, delegate: any WebSocketDelegate) {
    guard !isDraining else { return endWhileDraining() }
    ResponseEncoder.encodeUpgrade(handshake.headers, into: &stream.output)
    stream.cork()
    let remainder = parser.takeRemainder()
    let network = network(of: request)
    let unsent = UnsentBytes(of: serverLoop.unsentResponses, network: network, options: serverLoop.options)
    let (serverLoop, id) = (serverLoop, ObjectIdentifier(stream))
    let connection = WebSocketConnection(
      leave(),
      delegate: delegate,
      budget: serverLoop.receivedBytes,
      network: network,
      unsent: unsent,
      options: serverLoop.options,
      timeouts: serverLoop.timeouts
    ) { serverLoop.remove(id) }
    serverLoop.replace(id, with: connection)
    connection.assumeOnLoop { $0.start(remainder) }
  }

  private func endWhileDraining() {
    end(with: .serviceUnavailable, "SHUTTING_DOWN: The server is shutting down. Try again soon.")
  }

  /// The request of a streamed response stays in memory until the response ends.
  private func takeCharge() -> sending ByteCharge? {
    // It goes to another actor of the same loop, and this one does not touch it again.
    nonisolated(unsafe) let charge = charge
    self.charge = nil
    return charge
  }

  /// Ends this object and returns its stream.
  private func leave() -> sending TCPStream {
    state = .closed
    charge = nil
    releaseParts()
    // It goes to another actor of the same loop, and this one does not touch it again.
    nonisolated(unsafe) let stream = stream
    return stream
  }
}
