import Storage

/// Data that other processes change, and of which this process keeps something outside of the database.
struct FollowedData: Sendable {
  /// Handles hints of one kind, on the thread that receives them. Returns whether the data must be read.
  typealias Receiver = @Sendable ([Database.Hint]) -> Bool

  /// Milliseconds between two complete reads while no hints are missing.
  let interval: @Sendable () -> Int
  let receivers: [HintKind: Receiver]
  /// Called on the thread of the follower, which ends the read. If the read is not complete, only what the hints have
  /// named must be read.
  let read: @Sendable (Reader, _ isComplete: Bool) throws -> Void
}
