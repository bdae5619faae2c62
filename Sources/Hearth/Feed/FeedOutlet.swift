import EventLoop
import GraphQL
import Synchronization

/// Where news come to one loop, in the order in which they were committed.
final class FeedOutlet: Sendable {
  /// How many are told at once, so that others on the loop come between.
  private static let maximumAtOnce = 64

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

  /// Called from any thread; hands over and returns.
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
    // The answer to the mutation goes first.
    await Task.yield()
    while let news = next() {
      for item in news { hub.publish(item.event, to: item.topic) }
      await Task.yield()
    }
  }

  private func next() -> [Feed.News]? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.isWorking = false
        return nil
      }
      let news = Array(state.waiting.prefix(Self.maximumAtOnce))
      state.waiting.removeFirst(news.count)
      return news
    }
  }
}
