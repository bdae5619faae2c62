import EventLoop
import GraphQL
import Synchronization

/// Delivers events to one loop, in the order of their commits.
final class FeedOutlet: Sendable {
  /// Events delivered before the loop yields to other work.
  private static let maximumAtOnce = 16

  private struct State {
    var waiting: [Feed.News] = []
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
  func append(_ news: [Feed.News]) {
    let isAsleep = state.withLock { state in
      state.waiting.append(contentsOf: news)
      defer { state.isWorking = true }
      return !state.isWorking
    }
    guard isAsleep else { return }
    Task(executorPreference: loop) { await self.tell() }
  }

  private func tell() async {
    // Lets the response to the mutation go first.
    await Task.yield()
    while let news = take() {
      for (place, item) in news.enumerated() {
        if place > 0 && place.isMultiple(of: Self.maximumAtOnce) { await Task.yield() }
        hub.publish(item.event, to: item.topic)
      }
      await Task.yield()
    }
  }

  /// Takes the whole backlog. Returns nil if there is none, and marks the outlet as idle.
  private func take() -> [Feed.News]? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.isWorking = false
        return nil
      }
      let news = state.waiting
      state.waiting = []
      return news
    }
  }
}
