/// Delivers the events published on one event loop to its open subscriptions. Each event is executed once for each
/// group of subscriptions with equal responses, and the group shares the bytes of the response (fan-out). A large group
/// receives it in slices, between which the loop serves others.
///
/// `@unchecked Sendable`: the hub is confined to the thread of its event loop. The actors on that thread use it, which
/// region isolation cannot verify. Nothing else may use it.
package final class SubscriptionHub: @unchecked Sendable {
  /// Schedules work on the event loop.
  package typealias Spawn = (@escaping @Sendable () async -> Void) -> Void

  private let executor: Executor
  private let spawn: Spawn
  /// The subscribers of a topic.
  private struct Subscribers {
    var groups: [SubscriptionGroupKey: SubscriptionGroup] = [:]
    /// The number of events with positions that were published since the first subscriber.
    var published = 0
  }

  private var topics: [Topic: Subscribers] = [:]
  private var operations: SubscribedOperations
  /// The number of open subscriptions.
  package private(set) var count = 0 { didSet { countDidChange(count) } }
  package var countDidChange: (Int) -> Void = { _ in }
  /// Called when a topic gets its first subscriber, and when it loses its last one.
  package var topicDidChange: (Topic, _ hasSubscribers: Bool) -> Void = { _, _ in }
  /// Called before the backlog of a topic is read, for a subscriber that was added before. Returns when every event
  /// that the backlog may lack will be published. Nil if that is always so.
  package var topicWillBeRead: ((Topic) async -> Void)?
  /// The maximum number of events that wait to be executed for a group, or to be delivered to all of it. Beyond it the
  /// group's subscriptions end.
  private static let maximumWaiting = 1000

  /// - Parameter maximumOperationBytes: The maximum size in memory of the operations of all open subscriptions. One
  ///   caller has an eighth of it.
  package init(_ executor: Executor, maximumOperationBytes: Int, spawn: @escaping Spawn) {
    self.executor = executor
    operations = SubscribedOperations(maximumBytes: maximumOperationBytes)
    self.spawn = spawn
  }

  /// Creates a subscription, which the caller must start. Throws request errors if the source stream cannot be created.
  ///
  /// - Parameter payer: Identifies the caller that the operation's memory is charged to.
  package func subscription(
    _ operation: PreparedOperation,
    variables: VariableValues,
    onError: ErrorBehavior,
    resume: String?,
    sink: any SubscriptionSink,
    payer: Int?,
    context: any ExecutionContext,
    makeContext: @escaping () throws -> EventContext
  ) async throws(GraphQLErrors) -> Subscription {
    Subscription(
      operation,
      variables: variables,
      onError: onError,
      source: try await executor.source(of: operation, variables: variables, resume: resume, context: context),
      sink: sink,
      payer: payer,
      hub: self,
      makeContext: makeContext
    )
  }

  // MARK: Publishing

  /// Whether a topic has subscribers.
  package func hasSubscribers(_ topic: Topic) -> Bool { topics[topic] != nil }

  /// Delivers an event to the subscribers of a topic. Events with positions must be published in the order of their
  /// positions.
  package func publish(_ event: SourceEvent, to topic: Topic) {
    guard let groups = topics[topic]?.groups else { return }
    if event.position != nil { topics[topic]?.published += 1 }
    for group in groups.values { publish(event, to: group) }
  }

  private func publish(_ event: SourceEvent, to group: SubscriptionGroup) {
    guard let member = group.representative(for: event) else { return }
    guard group.backlogCount < Self.maximumWaiting else {
      for subscription in group.live {
        subscription.end(with: [
          GraphQLError("Events are published faster than they can be delivered.", code: .eventsTooFast)
        ])
      }
      return
    }
    guard !group.isWorking else { return group.waiting.append(event) }
    switch member.execute(event, on: executor) {
    case .response(let response): deliver(response, to: group)
    case .skipped: return
    // The member's subscription has ended, for instance because it lost its permissions. Other members may still have
    // theirs.
    case nil: publish(event, to: group)
    case .waiting(let waiting): work(on: group, beginningWith: waiting, of: member)
    }
  }

  private func deliver(_ response: SubscriptionResponse, to group: SubscriptionGroup) {
    guard !group.deliver(response), !group.isDelivering else { return }
    group.isDelivering = true
    nonisolated(unsafe) let group = group
    spawn {
      // Other work of the event loop runs between two slices.
      while group.deliverSlice() { await Task.yield() }
      group.isDelivering = false
      group.resumeWaitersIfIdle()
    }
  }

  private func work(on group: SubscriptionGroup, beginningWith waiting: WaitingEvent, of member: Subscription) {
    group.isWorking = true
    // Both are confined to this event loop, like the hub.
    nonisolated(unsafe) let (group, waiting) = (group, waiting)
    spawn { [self] in
      switch await member.finish(waiting, on: executor) {
      case .response(let response): deliver(response, to: group)
      case .skipped, .waiting: break
      case nil: if let response = await response(to: waiting.event, for: group) { deliver(response, to: group) }
      }
      await finishWork(on: group)
    }
  }

  /// Executes the events that were published during the execution of another event, one after the other.
  private func finishWork(on group: SubscriptionGroup) async {
    while !group.waiting.isEmpty {
      // Other work of the event loop runs between two events.
      await Task.yield()
      let event = group.waiting.removeFirst()
      if let response = await response(to: event, for: group) { deliver(response, to: group) }
    }
    group.isWorking = false
    group.resumeWaitersIfIdle()
  }

  /// Returns when the events published to a topic have been executed for and delivered to all of its subscriptions.
  package func finishPublishing(to topic: Topic) async {
    for group in (topics[topic]?.groups ?? [:]).values { await group.waitUntilIdle() }
  }

  private func response(to event: SourceEvent, for group: SubscriptionGroup) async -> SubscriptionResponse? {
    while let member = group.representative(for: event) {
      switch await execute(event, for: member) {
      case .response(let response): return response
      case .skipped, .waiting: return nil
      case nil: continue
      }
    }
    return nil
  }

  /// Executes an event to its end. Returns nil if the subscription has ended instead.
  private func execute(_ event: SourceEvent, for subscription: Subscription) async -> EventOutcome? {
    let outcome = subscription.execute(event, on: executor)
    if case .waiting(let waiting) = outcome { return await subscription.finish(waiting, on: executor) }
    return outcome
  }

  /// Ends the subscriptions of a topic: without errors because the source stream has ended, or with errors because the
  /// subscribers may not receive further events. They receive the responses to earlier events first.
  package func end(_ topic: Topic, with errors: [GraphQLError] = []) {
    for group in (topics[topic]?.groups ?? [:]).values {
      while group.deliverSlice() {}
      for subscription in group.members { subscription.end(with: errors) }
    }
  }

  // MARK: Subscriptions

  func handle(_ event: SubscriptionMachine.Event, of subscription: Subscription) {
    switch subscription.machine.handle(event) {
    case .nothing, .deliver: break
    case .join(let readsBacklog):
      join(subscription)
      if readsBacklog { read(subscription) }
    case .readBacklog: read(subscription)
    case .leave: leave(subscription)
    case .end(let errors):
      leave(subscription)
      subscription.sink.subscriptionDidEnd(with: errors)
    }
  }

  private func join(_ subscription: Subscription) {
    guard operations.add(subscription.operation, for: subscription.payer) else {
      return subscription.end(with: [
        GraphQLError(
          "The operations of open subscriptions take too much memory. Subscribe with fewer different documents.",
          code: .tooManyOperations
        )
      ])
    }
    let topic = subscription.source.topic
    let isFirst = topics[topic] == nil
    let key = SubscriptionGroupKey(subscription)
    let group = topics[topic]?.groups[key] ?? SubscriptionGroup()
    group.insert(subscription)
    topics[topic, default: Subscribers()].groups[key] = group
    count += 1
    if isFirst { topicDidChange(topic, true) }
  }

  private func leave(_ subscription: Subscription) {
    let topic = subscription.source.topic
    let key = SubscriptionGroupKey(subscription)
    // A subscription that was not started is not in a group.
    guard let group = topics[topic]?.groups[key], group.remove(subscription) else { return }
    count -= 1
    operations.remove(subscription.operation)
    guard group.members.isEmpty else { return }
    topics[topic]?.groups[key] = nil
    guard topics[topic]?.groups.isEmpty == true else { return }
    topics[topic] = nil
    topicDidChange(topic, false)
  }

  // MARK: The backlog

  private func read(_ subscription: Subscription) { spawn { [self] in await takeSteps(of: subscription) } }

  /// Runs the backlog reader of a subscription. A published event was committed before: it is in every piece whose
  /// reading began later. So only events that are published while a piece is read can be missing from it.
  private func takeSteps(of subscription: Subscription) async {
    let topic = subscription.source.topic
    await topicWillBeRead?(topic)
    while true {
      switch subscription.machine.nextStep(isBehind: subscription.sink.isBehind) {
      case .read(let position):
        let published = topics[topic]?.published
        if let piece = await subscription.backlog(after: position) {
          handle(.read(piece, isOvertaken: topics[topic]?.published != published), of: subscription)
        }
      case .execute(let event): await replay(event, to: subscription)
      case .yield: await Task.yield()
      case .stop: return
      }
    }
  }

  private func replay(_ event: SourceEvent, to subscription: Subscription) async {
    guard case .response(let response) = await execute(event, for: subscription) else { return }
    if case .deliver = subscription.machine.handle(.replayed(position: response.position)) {
      subscription.sink.receive(response)
    }
  }
}

extension ErrorCode {
  /// Events are published faster than they can be executed.
  package static let eventsTooFast = ErrorCode(rawValue: "EVENTS_TOO_FAST")
  /// A WebSocket has too many operations, or those of open subscriptions take too much memory.
  package static let tooManyOperations = ErrorCode(rawValue: "TOO_MANY_OPERATIONS")
}
