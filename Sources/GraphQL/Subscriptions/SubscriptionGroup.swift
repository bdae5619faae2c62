/// Subscriptions of a topic with equal keys receive equal responses.
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

/// The subscriptions that receive equal responses. Each event is executed once for the whole group (fan-out). Confined
/// to the hub.
final class SubscriptionGroup {
  private(set) var members: [ObjectIdentifier: Subscription] = [:]
  /// Events that wait for the execution of previous events, if the plan is asynchronous.
  var waiting: [SourceEvent] = []
  var isWorking = false
  /// Resumed when the waiting events have been executed.
  var idleWaiters: [CheckedContinuation<Void, Never>] = []

  func insert(_ subscription: Subscription) { members[ObjectIdentifier(subscription)] = subscription }
  /// Returns false when the subscription is not a member.
  func remove(_ subscription: Subscription) -> Bool {
    members.removeValue(forKey: ObjectIdentifier(subscription)) != nil
  }

  /// The members that receive every event.
  var live: [Subscription] { members.values.filter { $0.machine.phase == .live } }

  /// A member that receives an event published now. The event is executed once, with the context of this member.
  func representative(for event: SourceEvent) -> Subscription? {
    members.values.first { $0.machine.receives(event.position) }
  }

  func deliver(_ response: SubscriptionResponse) {
    // A subscription that is removed during the loop has ended, and its state machine delivers nothing.
    for subscription in members.values {
      if case .deliver = subscription.machine.handle(.published(position: response.position)) {
        subscription.sink.receive(response)
      }
    }
  }
}
