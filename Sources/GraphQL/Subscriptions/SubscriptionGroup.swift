/// What makes two subscriptions of a topic be answered the same.
struct SubscriptionGroupKey: Hashable {
  let operation: ObjectIdentifier
  let variables: VariableValues
  let onError: ErrorBehavior
  let visibility: AnyHashable

  init(_ subscription: Subscription) {
    operation = ObjectIdentifier(subscription.operation)
    variables = subscription.variables
    onError = subscription.onError
    visibility = subscription.source.visibility
  }
}

/// The subscriptions that are answered the same: each event is executed once for them. Confined to the hub.
final class SubscriptionGroup {
  private(set) var members: [ObjectIdentifier: Subscription] = [:]
  /// Events that wait for those before them, where the plan waits.
  var waiting: [SourceEvent] = []
  var isWorking = false
  /// Resumed when the waiting events have been executed.
  var idleWaiters: [CheckedContinuation<Void, Never>] = []

  func insert(_ subscription: Subscription) { members[ObjectIdentifier(subscription)] = subscription }
  func remove(_ subscription: Subscription) { members[ObjectIdentifier(subscription)] = nil }

  /// Those who are told of whatever comes.
  var live: [Subscription] { members.values.filter { $0.phase == .live } }

  /// One of those who are to be told of an event now, to execute it for.
  func representative(for event: SourceEvent) -> Subscription? {
    members.values.first { $0.hears(position: event.position) }
  }

  func deliver(_ response: SubscriptionResponse) {
    // Whoever is removed meanwhile is told nothing: it has ended.
    for subscription in members.values where subscription.hears(position: response.position) {
      subscription.deliver(response)
    }
  }
}
