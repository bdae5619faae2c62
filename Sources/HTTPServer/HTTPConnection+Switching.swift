import EventLoop
import HTTP
import WebSocket

/// A connection that stops being one of requests and answers: its stream goes to what it becomes.
extension HTTPConnection {
  func begin(_ headers: HeaderBlock, _ writer: any ResponseStreamWriter, of request: HTTPRequest) {
    guard !isDraining else { return endWhileDraining() }
    var encoder = ResponseEncoder(answering: request)
    encoder.date = home.date
    encoder.keepAlive = false
    let isChunked = encoder.encodeStreamHead(.ok, headers, into: &stream.output)
    let (home, id) = (home, ObjectIdentifier(stream))
    let charge = takeCharge()
    let unsent = UnsentBytes(of: home.unsentResponses, network: networks(of: request).first, options: home.options)
    let connection = ResponseStream(
      leave(),
      isChunked: isChunked,
      writer: writer,
      charge: charge,
      unsent: unsent,
      patience: home.patience
    ) { home.remove(id) }
    home.replace(id, with: connection)
    connection.assumeIsolated { $0.start() }
  }

  func upgrade(_ request: HTTPRequest, _ handshake: WebSocketHandshake, _ delegate: any WebSocketDelegate) {
    guard !isDraining else { return endWhileDraining() }
    ResponseEncoder.encodeUpgrade(handshake.headers, into: &stream.output)
    stream.cork()
    let remainder = parser.takeRemainder()
    let network = networks(of: request).first
    let unsent = UnsentBytes(of: home.unsentResponses, network: network, options: home.options)
    let (home, id) = (home, ObjectIdentifier(stream))
    let connection = WebSocketConnection(
      leave(),
      delegate: delegate,
      budget: home.receivedBytes,
      network: network,
      unsent: unsent,
      options: home.options,
      patience: home.patience
    ) { home.remove(id) }
    home.replace(id, with: connection)
    connection.assumeIsolated { $0.start(remainder) }
  }

  private func endWhileDraining() {
    end(with: .serviceUnavailable, "SHUTTING_DOWN: The server is shutting down. Try again soon.\n")
  }

  /// The request of a streamed response is kept for as long as it lasts.
  private func takeCharge() -> sending ByteCharge? {
    // It goes to another actor of the same loop, and this one does not touch it again.
    nonisolated(unsafe) let charge = charge
    self.charge = nil
    return charge
  }

  /// Gives the stream away: nothing of this connection is left.
  private func leave() -> sending TCPStream {
    state = .closed
    charge = nil
    letGo()
    // It goes to another actor of the same loop, and this one does not touch it again.
    nonisolated(unsafe) let stream = stream
    return stream
  }
}
