import EventLoop

/// What the client of a WebSocket or a streamed response has not taken yet, charged as soon as it is behind. Belongs to
/// the loop's thread.
struct UnsentBytes {
  private let limit: Int
  private let budget: ByteBudget
  private let network: ByteOwner?
  private var charge: ByteCharge?

  init(of budget: ByteBudget, network: ByteOwner?, options: HTTPServerOptions) {
    self.budget = budget
    self.network = network
    limit = options.liveUnsentBytes
  }

  /// Whether the client leaves so much untaken that it should be sent no more that it did not ask for.
  func isBehind(_ stream: TCPStream) -> Bool {
    if stream.unsentCount <= limit { return false }
    // Much may have been written in this turn alone, of which the client could not know yet.
    stream.flush()
    return stream.unsentCount > limit
  }

  /// Charges what is unsent. False when there is no room for it: then the connection has to be closed.
  mutating func charge(_ stream: TCPStream) -> Bool {
    let charge = charge ?? ByteCharge(budget, owner: network)
    self.charge = charge
    return charge.set(stream.unsentCount) == nil
  }

  mutating func release() { charge = nil }
}
