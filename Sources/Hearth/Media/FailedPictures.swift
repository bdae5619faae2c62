/// Pictures that could not be scaled. Another attempt would cost as much as the first.
struct FailedPictures {
  /// After this time, a picture that was not scaled in time is tried again. Clients keep what stands in for the size as
  /// long.
  static let retryDelay = Duration.seconds(300)
  private static let maximumCount = 10_000

  /// Those that can never be scaled.
  private var lasting: Set<PictureHash> = []
  /// Those that a busy machine may have delayed, with the times at which they are tried again.
  private var delayed: [PictureHash: ContinuousClock.Instant] = [:]

  /// - Parameter mayPass: Whether another attempt can succeed.
  mutating func insert(_ hash: PictureHash, mayPass: Bool, at now: ContinuousClock.Instant) {
    if lasting.count + delayed.count >= Self.maximumCount {
      lasting.removeAll()
      delayed.removeAll()
    }
    if mayPass {
      delayed[hash] = now + Self.retryDelay
    } else {
      lasting.insert(hash)
    }
  }

  func contains(_ hash: PictureHash, at now: ContinuousClock.Instant) -> Bool {
    lasting.contains(hash) || delayed[hash].map { now < $0 } ?? false
  }
}
