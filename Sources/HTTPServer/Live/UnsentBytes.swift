import EventLoop

/// The unsent bytes of a WebSocket or a streamed response, charged while its client is a slow consumer. Confined to the
/// loop's thread.
struct UnsentBytes {
  private let limit: Int
  private let budget: ByteBudget
  private let network: Payer?
  private var charge: ByteCharge?

  init(of budget: ByteBudget, network: Payer?, options: HTTPServerOptions) {
    self.budget = budget
    self.network = network
    limit = options.liveUnsentBytes
  }

  /// Whether the client is a slow consumer, to which no further events should be sent.
  func isBehind(_ stream: TCPStream) -> Bool {
    if stream.unsentCount <= limit { return false }
    // Flushes first, because the bytes may all have been written in this turn.
    stream.flush()
    return stream.unsentCount > limit
  }

  /// Charges the unsent bytes. Returns false if they exceed a limit: the caller must then close the connection.
  mutating func charge(_ stream: TCPStream) -> Bool {
    let charge = charge ?? ByteCharge(budget, payer: network)
    self.charge = charge
    return charge.set(stream.unsentCount) == nil
  }

  mutating func release() { charge = nil }
}
