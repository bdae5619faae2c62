import EventLoop
import GraphQL
import Synchronization

/// Brings what was committed to the loops where somebody listens.
final class Feed: Sendable {
  /// What a write tells of (`WriteTransaction.tell`).
  struct News: Sendable {
    let topic: Topic
    let event: SourceEvent
  }

  /// The loops that listen to each topic. A loop is entered before its subscription reads what is kept: so what is
  /// committed later reaches it, and what was before is read.
  private let listeners = Mutex<[Topic: [FeedOutlet]]>([:])

  /// Has a loop's subscriptions told.
  func attach(_ hub: SubscriptionHub, on loop: EventLoop) {
    let outlet = FeedOutlet(hub, on: loop)
    hub.topicDidChange = { [self] topic, isListenedTo in
      listeners.withLock { listeners in
        if isListenedTo {
          listeners[topic, default: []].append(outlet)
        } else {
          listeners[topic]?.removeAll { $0 === outlet }
          if listeners[topic]?.isEmpty == true { listeners[topic] = nil }
        }
      }
    }
  }

  /// On the writer's thread, in the order of the commits.
  @Sendable func announce(_ told: [any Sendable]) {
    var news: [(outlet: FeedOutlet, news: [News])] = []
    listeners.withLock { listeners in
      for case let item as News in told {
        for outlet in listeners[item.topic] ?? [] {
          if let place = news.firstIndex(where: { $0.outlet === outlet }) {
            news[place].news.append(item)
          } else {
            news.append((outlet, [item]))
          }
        }
      }
    }
    for (outlet, news) in news { outlet.append(news) }
  }
}
