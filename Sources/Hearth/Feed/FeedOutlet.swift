import EventLoop
import GraphQL
import Synchronization

/// Delivers events to one loop, in the order of their commits.
final class FeedOutlet: Sendable {
  /// Events delivered before the loop yields to other work.
  private static let maximumAtOnce = 16

  private struct State {
    var waiting: [Feed.Publication] = []
    var isWorking = false
  }

  private let hub: SubscriptionHub
  private let loop: EventLoop
  private let state = Mutex(State())

  init(_ hub: SubscriptionHub, on loop: EventLoop) {
    self.hub = hub
    self.loop = loop
  }

  /// Can be called from any thread, and does not wait for the delivery.
  func append(_ publications: [Feed.Publication]) {
    let isAsleep = state.withLock { state in
      state.waiting.append(contentsOf: publications)
      defer { state.isWorking = true }
      return !state.isWorking
    }
    guard isAsleep else { return }
    Task(executorPreference: loop) { await self.deliver() }
  }

  private func deliver() async {
    // Lets the response to the mutation go first.
    await Task.yield()
    while let publications = take() {
      for (index, item) in publications.enumerated() {
        if index > 0 && index.isMultiple(of: Self.maximumAtOnce) { await Task.yield() }
        hub.publish(item.event, to: item.topic)
      }
      await Task.yield()
    }
  }

  /// Takes the whole backlog. Returns nil if there is none, and marks the outlet as idle.
  private func take() -> [Feed.Publication]? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.isWorking = false
        return nil
      }
      let publications = state.waiting
      state.waiting = []
      return publications
    }
  }
}
