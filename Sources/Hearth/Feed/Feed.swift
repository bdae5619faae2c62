import EventLoop
import GraphQL
import Storage
import Synchronization

/// The fan-out of committed events to the loops with subscribers.
final class Feed: Sendable {
  /// An event that a write publishes (`WriteTransaction.tell`).
  struct Publication: Sendable {
    let topic: Topic
    let event: SourceEvent
  }

  /// The loops with subscribers of each topic. A loop is added before its subscription reads the backlog. Events
  /// committed later reach it through the feed, and earlier ones through the backlog.
  private let listeners = Mutex<[Topic: [FeedOutlet]]>([:])

  /// Delivers events to the subscriptions of a loop.
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

  /// The positions of what a committed write has published.
  static func positions(of events: [any Sendable]) -> [Int64] {
    events.compactMap { ($0 as? Publication)?.event.position }
  }

  /// Called on the writer's thread, in the order of the commits.
  @Sendable func announce(_ announcements: [any Sendable]) {
    var publications: [(outlet: FeedOutlet, publications: [Publication])] = []
    listeners.withLock { listeners in
      for case let item as Publication in announcements {
        for outlet in listeners[item.topic] ?? [] {
          if let index = publications.firstIndex(where: { $0.outlet === outlet }) {
            publications[index].publications.append(item)
          } else {
            publications.append((outlet, [item]))
          }
        }
      }
    }
    for (outlet, publications) in publications { outlet.append(publications) }
  }
}
