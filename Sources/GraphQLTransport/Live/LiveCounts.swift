import Synchronization

/// The numbers of open WebSockets, event streams and subscriptions, on all loops together.
package final class LiveCounts: Sendable {
  package enum Kind { case webSockets, eventStreams, subscriptions }

  private let webSockets = Atomic<Int>(0)
  private let eventStreams = Atomic<Int>(0)
  private let subscriptions = Atomic<Int>(0)

  package subscript(_ kind: Kind) -> Int {
    switch kind {
    case .webSockets: webSockets.load(ordering: .relaxed)
    case .eventStreams: eventStreams.load(ordering: .relaxed)
    case .subscriptions: subscriptions.load(ordering: .relaxed)
    }
  }

  func add(_ difference: Int, to kind: Kind) {
    switch kind {
    case .webSockets: webSockets.add(difference, ordering: .relaxed)
    case .eventStreams: eventStreams.add(difference, ordering: .relaxed)
    case .subscriptions: subscriptions.add(difference, ordering: .relaxed)
    }
  }
}
