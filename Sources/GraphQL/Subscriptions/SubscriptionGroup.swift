import Basics

/// Subscriptions of a topic with equal keys receive equal responses.
struct SubscriptionGroupKey: Hashable {
  let operation: ObjectIdentifier
  let variables: VariableValues
  let onError: ErrorBehavior
  let visibility: AnyHashable
  let caller: AnyHashable?

  init(_ subscription: Subscription) {
    operation = ObjectIdentifier(subscription.operation)
    variables = subscription.variables
    onError = subscription.onError
    visibility = subscription.source.visibility
    caller = subscription.source.caller
  }
}

/// The subscriptions that receive equal responses. Each event is executed once for the whole group (fan-out). Confined
/// to the hub.
final class SubscriptionGroup {
  struct PublishedEvent {
    let event: SourceEvent
    /// Members that join later do not receive the event.
    let recipients: Recipients

    /// A member that receives the event. The event is executed once, with the context of this member.
    var representative: Subscription? { recipients.members.first { $0.machine.receives(event.position) } }
  }

  /// Identifies the caller whose subscription was the first.
  let payer: Int?
  /// In the order in which they joined, as far as none has left: neighbours are close to each other in memory. With a
  /// dictionary, whose order is random, an event took 7.7 instead of 6.7 µs for each of 10,000 members, with what the
  /// kernel does.
  private(set) var members: [Subscription] = []
  /// Changes whenever a member joins or leaves.
  private var membership = 0
  /// Events that have not been executed.
  private var published = Fifo<PublishedEvent>()
  /// Whether the execution of an event is suspended.
  var isExecuting = false
  private var deliveries = DeliveryQueue()
  /// Whether the group waits for its turn.
  var isScheduled = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// The number of members that receive a response in one turn. With the write that follows, each takes 6 µs.
  private static let sliceSize = 64

  /// The number of bytes of responses from which they are delivered before further events are executed.
  private static let maximumDeliveryBytes = 64 << 10

  init(payer: Int?) { self.payer = payer }

  func insert(_ subscription: Subscription) {
    membership += 1
    subscription.groupIndex = members.count
    members.append(subscription)
  }

  /// Returns false when the subscription is not a member.
  func remove(_ subscription: Subscription) -> Bool {
    let index = subscription.groupIndex
    guard index < members.count, members[index] === subscription else { return false }
    membership += 1
    members.swapAt(index, members.count - 1)
    members[index].groupIndex = index
    members.removeLast()
    resumeWaitersIfSettled()
    return true
  }

  // MARK: Events

  /// The number of events that have not been executed, or not been delivered to all their recipients.
  var backlogCount: Int { published.count + deliveries.count }

  func append(_ event: SourceEvent) {
    let recipients = Recipients(members: members, membership: membership)
    published.append(PublishedEvent(event: event, recipients: recipients))
  }

  /// Removes the next event to execute. Returns nil if no event waits, if the execution of another event is suspended,
  /// or if responses of many bytes must be delivered first.
  func nextEvent() -> PublishedEvent? {
    isExecuting || deliveries.byteCount > Self.maximumDeliveryBytes ? nil : published.popFirst()
  }

  /// Delivers a response at once, or if the recipients are many or others have not received earlier ones, later by
  /// `deliverSlice()`.
  func deliver(_ response: SubscriptionResponse, to recipients: Recipients) {
    if recipients.members.count <= Self.sliceSize && deliveries.isEmpty {
      send(response, to: recipients.members[...])
    } else {
      deliveries.append(response, for: recipients)
    }
  }

  /// Delivers what is waiting to the next recipients.
  func deliverSlice() {
    guard let slice = deliveries.popSlice(of: Self.sliceSize) else { return }
    for response in slice.responses { send(response, to: slice.members) }
  }

  private func send(_ response: SubscriptionResponse, to members: ArraySlice<Subscription>) {
    // A subscription that has left the group has ended, and its state machine delivers nothing.
    for subscription in members {
      if case .deliver = subscription.machine.handle(.published(position: response.position)) {
        subscription.sink.receive(response)
      }
    }
  }

  // MARK: Turns

  /// Whether some members have not received a response that others have.
  var isDelivering: Bool { !deliveries.isEmpty }

  /// Whether an event can be executed or a response delivered.
  var hasWork: Bool { isDelivering || (!isExecuting && !published.isEmpty) }

  /// Whether all published events have been executed and delivered, and all members accept further responses.
  var isSettled: Bool { !isExecuting && !hasWork && !members.contains { $0.sink.isBehind } }

  func waitUntilSettled() async {
    // Tested within the closure: the task can be suspended before it runs, and the group be settled meanwhile.
    await withCheckedContinuation { waiter in
      if isSettled { waiter.resume() } else { waiters.append(waiter) }
    }
  }

  func resumeWaitersIfSettled() {
    guard !waiters.isEmpty, isSettled else { return }
    let settled = waiters
    waiters = []
    for waiter in settled { waiter.resume() }
  }
}
