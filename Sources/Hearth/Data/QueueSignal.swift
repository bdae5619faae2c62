/// Wakes the delivery of a queue.
struct QueueSignal: Sendable {
  /// Has an element whenever there may be something to deliver. Several notifications can be merged into one element.
  let wakes: AsyncStream<Void>
  private let waking: AsyncStream<Void>.Continuation

  init() { (wakes, waking) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  func wake() { waking.yield() }

  /// Ends the sequence of notifications.
  func close() { waking.finish() }
}
