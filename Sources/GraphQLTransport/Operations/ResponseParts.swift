import Bytes
import GraphQL

/// A response that is delivered in parts. The next part is executed when the transport asks for it, so a client that
/// does not read costs nothing but the memory of what it has received.
///
/// `@unchecked Sendable`: it is confined to the thread of its loop.
final class ResponseParts: @unchecked Sendable {
  private var first: ByteBuffer?
  /// The number of bytes of the first part.
  let initialBytes: Int
  private let following: () async -> ByteBuffer?

  /// - Parameter following: Returns the parts after the first, and nil after the last one.
  init(_ first: consuming ByteBuffer, _ following: @escaping () async -> ByteBuffer?) {
    initialBytes = first.count
    self.first = consume first
    self.following = following
  }

  /// Sends the next parts until the client is behind. Returns whether the last one was sent.
  func send(
    while canSend: () -> Bool,
    isolation: isolated (any Actor)? = #isolation,
    _ send: (consuming ByteBuffer) -> Void
  ) async -> Bool {
    while canSend() {
      guard let part = await next() else { return true }
      send(part)
    }
    return false
  }

  private func next(isolation: isolated (any Actor)? = #isolation) async -> ByteBuffer? {
    if let first = first.take() { return first }
    return await following()
  }
}
