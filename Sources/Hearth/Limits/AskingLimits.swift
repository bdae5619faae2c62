import GraphQL

/// How often one person can have another told that they are asked: what is taken back at once can be asked again, and each
/// time they are told.
struct AskingLimits: Sendable {
  private struct Pair: Hashable {
    let asker: GlobalID
    let asked: GlobalID
  }

  private let pairs = RateLimiter(burst: 20, every: .seconds(600))

  /// Taken within the write, which alone knows whether somebody is to be told. One that is run twice counts twice.
  func take(_ asker: GlobalID, asks asked: GlobalID, at now: Int64) throws(FieldError) {
    if let wait = pairs.take(Pair(asker: asker, asked: asked), at: now) { throw .rateLimited(for: wait) }
  }
}
