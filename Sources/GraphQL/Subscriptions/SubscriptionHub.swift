/// Delivers the events published on one loop to its open subscriptions. Each event is executed once for each group of
/// subscriptions with equal responses, and the bytes are shared.
///
/// `@unchecked Sendable`: it is confined to its loop's thread. The actors of that loop use it, which region isolation
/// cannot know; nothing else may.
package final class SubscriptionHub: @unchecked Sendable {
  /// Runs work on the loop, soon.
  package typealias Spawn = (@escaping @Sendable () async -> Void) -> Void

  private let executor: Executor
  private let spawn: Spawn
  private var topics: [Topic: [SubscriptionGroupKey: SubscriptionGroup]] = [:]
  /// How many subscriptions are open.
  package private(set) var count = 0 { didSet { countDidChange(count) } }
  package var countDidChange: (Int) -> Void = { _ in }
  /// Called when a topic is listened to for the first time, and when nobody listens any more.
  package var topicDidChange: (Topic, _ isListenedTo: Bool) -> Void = { _, _ in }
  /// Events that may wait for a group whose plan waits. Past it its subscriptions end.
  private static let maximumWaiting = 1000

  package init(_ executor: Executor, spawn: @escaping Spawn) {
    self.executor = executor
    self.spawn = spawn
  }

  /// A subscription that has yet to be started: the errors are the answer where the source refuses.
  package func subscription(
    _ operation: PreparedOperation,
    variables: VariableValues,
    onError: ErrorBehavior,
    resume: String?,
    sink: any SubscriptionSink,
    context: any ExecutionContext,
    makeContext: @escaping () throws -> any ExecutionContext,
    finishContext: @escaping (any ExecutionContext) -> Void
  ) throws(GraphQLErrors) -> Subscription {
    Subscription(
      operation,
      variables: variables,
      onError: onError,
      source: try executor.source(of: operation, variables: variables, resume: resume, context: context),
      sink: sink,
      hub: self,
      makeContext: makeContext,
      finishContext: finishContext
    )
  }

  // MARK: Publishing

  /// Whether anybody listens.
  package func isListenedTo(_ topic: Topic) -> Bool { topics[topic] != nil }

  /// Tells those who listen of an event. Events of a topic that have positions are published in their order.
  package func publish(_ event: SourceEvent, to topic: Topic) {
    guard let groups = topics[topic] else { return }
    for group in groups.values { publish(event, to: group) }
  }

  private func publish(_ event: SourceEvent, to group: SubscriptionGroup) {
    guard let member = group.representative(for: event) else { return }
    if !group.isWorking {
      switch member.executeAtOnce(event, executor) {
      case .response(let response): return group.deliver(response)
      case .leftOut: return
      // That one may see nothing any more: the next may.
      case nil: return publish(event, to: group)
      case .waits: break
      }
    }
    guard group.waiting.count < Self.maximumWaiting else {
      for subscription in group.live {
        subscription.end(with: [GraphQLError("Events come faster than they can be told.", code: .eventsTooFast)])
      }
      return
    }
    group.waiting.append(event)
    guard !group.isWorking else { return }
    group.isWorking = true
    // It stays with this loop, as the hub does.
    nonisolated(unsafe) let group = group
    spawn { [self] in await work(on: group) }
  }

  /// One event after the other, where the plan waits or an event takes long.
  private func work(on group: SubscriptionGroup) async {
    while !group.waiting.isEmpty {
      let event = group.waiting.removeFirst()
      // Whoever ends over it may see nothing any more: the next may.
      var outcome: Subscription.Outcome?
      while outcome == nil, let member = group.representative(for: event) {
        outcome = await member.execute(event, executor)
      }
      if case .response(let response) = outcome { group.deliver(response) }
      // Others are served between two events.
      await Task.yield()
    }
    group.isWorking = false
    let waiters = group.idleWaiters
    group.idleWaiters = []
    for waiter in waiters { waiter.resume() }
  }

  /// Returns when the events that were published to a topic have been executed for all of its subscriptions.
  package func finishPublishing(to topic: Topic) async {
    for group in (topics[topic] ?? [:]).values where group.isWorking {
      await withCheckedContinuation { group.idleWaiters.append($0) }
    }
  }

  /// The source has ended for all who listen; or, with errors, they may not listen any more.
  package func end(_ topic: Topic, with errors: [GraphQLError] = []) {
    let subscriptions = topics[topic]?.values.flatMap { $0.members.values } ?? []
    for subscription in subscriptions { subscription.end(with: errors) }
  }

  // MARK: Subscriptions

  func start(_ subscription: Subscription) {
    guard subscription.phase == .new else { return }
    let topic = subscription.source.topic
    let isFirst = topics[topic] == nil
    let key = SubscriptionGroupKey(subscription)
    let group = topics[topic]?[key] ?? SubscriptionGroup()
    group.insert(subscription)
    topics[topic, default: [:]][key] = group
    count += 1
    if isFirst { topicDidChange(topic, true) }
    guard subscription.source.backlog != nil else {
      subscription.phase = .live
      return
    }
    subscription.phase = .catchingUp
    catchUp(subscription)
  }

  func remove(_ subscription: Subscription) {
    let phase = subscription.phase
    subscription.phase = .ended
    guard phase == .catchingUp || phase == .live else { return }
    count -= 1
    let topic = subscription.source.topic
    let key = SubscriptionGroupKey(subscription)
    guard let group = topics[topic]?[key] else { return }
    group.remove(subscription)
    guard group.members.isEmpty else { return }
    topics[topic]?[key] = nil
    guard topics[topic]?.isEmpty == true else { return }
    topics[topic] = nil
    topicDidChange(topic, false)
  }

  // MARK: The backlog

  /// Delivers the backlog piece by piece, and no more than the client takes. A subscription that finds no further
  /// events is live from that moment on: nothing is published while this runs.
  func catchUp(_ subscription: Subscription) {
    guard !subscription.isReading else { return }
    subscription.isReading = true
    spawn { [self] in await readBacklog(of: subscription) }
  }

  private func readBacklog(of subscription: Subscription) async {
    while subscription.phase == .catchingUp, !subscription.sink.isBehind {
      guard let piece = subscription.backlog() else { break }
      if piece.events.isEmpty && piece.reached == subscription.position {
        subscription.phase = .live
        break
      }
      guard await tell(piece.events, to: subscription) else { break }
      subscription.position = max(piece.reached, subscription.position ?? piece.reached)
      // Others are served between two pieces.
      await Task.yield()
    }
    subscription.isReading = false
  }

  /// Returns false when not all were delivered: the subscription has ended, or its client takes no more for now, and
  /// the rest is read again when it does.
  private func tell(_ events: [SourceEvent], to subscription: Subscription) async -> Bool {
    for event in events {
      guard subscription.phase == .catchingUp, !subscription.sink.isBehind else { return false }
      var outcome = subscription.executeAtOnce(event, executor)
      if case .waits = outcome { outcome = await subscription.execute(event, executor) }
      if case .response(let response) = outcome { subscription.deliver(response) }
    }
    return subscription.phase == .catchingUp
  }
}

extension ErrorCode {
  /// A subscription's events come faster than they can be answered.
  package static let eventsTooFast = ErrorCode(rawValue: "EVENTS_TOO_FAST")
}
