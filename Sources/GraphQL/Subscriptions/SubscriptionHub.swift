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
  package var topicDidChange: (Topic, _ hasSubscribers: Bool) -> Void = { _, _ in }
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
    makeContext: @escaping () throws -> EventContext
  ) throws(GraphQLErrors) -> Subscription {
    Subscription(
      operation,
      variables: variables,
      onError: onError,
      source: try executor.source(of: operation, variables: variables, resume: resume, context: context),
      sink: sink,
      hub: self,
      makeContext: makeContext
    )
  }

  // MARK: Publishing

  /// Whether anybody listens.
  package func hasSubscribers(_ topic: Topic) -> Bool { topics[topic] != nil }

  /// Tells those who listen of an event. Events of a topic that have positions are published in their order.
  package func publish(_ event: SourceEvent, to topic: Topic) {
    guard let groups = topics[topic] else { return }
    for group in groups.values { publish(event, to: group) }
  }

  private func publish(_ event: SourceEvent, to group: SubscriptionGroup) {
    guard let member = group.representative(for: event) else { return }
    if !group.isWorking {
      switch member.execute(event, executor) {
      case .response(let response): return group.deliver(response)
      case .skipped: return
      // The member has ended over it, for instance because it lost its rights. Others may keep theirs.
      case nil: return publish(event, to: group)
      case .waiting(let waiting): return work(on: group, beginningWith: waiting)
      }
    }
    guard group.waiting.count < Self.maximumWaiting else {
      for subscription in group.live {
        subscription.end(with: [GraphQLError("Events come faster than they can be told.", code: .eventsTooFast)])
      }
      return
    }
    group.waiting.append(event)
  }

  private func work(on group: SubscriptionGroup, beginningWith waiting: WaitingEvent) {
    group.isWorking = true
    // Both stay with this loop, as the hub does.
    nonisolated(unsafe) let (group, waiting) = (group, waiting)
    spawn { [self] in
      group.deliver(await waiting.finish(executor))
      await finishWork(on: group)
    }
  }

  /// Executes the events that were published meanwhile, one after the other.
  private func finishWork(on group: SubscriptionGroup) async {
    while !group.waiting.isEmpty {
      // Others are served between two events.
      await Task.yield()
      let event = group.waiting.removeFirst()
      if let response = await response(to: event, for: group) { group.deliver(response) }
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

  private func response(to event: SourceEvent, for group: SubscriptionGroup) async -> SubscriptionResponse? {
    while let member = group.representative(for: event) {
      switch member.execute(event, executor) {
      case .response(let response): return response
      case .skipped: return nil
      case .waiting(let waiting): return await waiting.finish(executor)
      case nil: continue
      }
    }
    return nil
  }

  /// The source has ended for all who listen; or, with errors, they may not listen any more.
  package func end(_ topic: Topic, with errors: [GraphQLError] = []) {
    let subscriptions = topics[topic]?.values.flatMap { $0.members.values } ?? []
    for subscription in subscriptions { subscription.end(with: errors) }
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
    let topic = subscription.source.topic
    let isFirst = topics[topic] == nil
    let key = SubscriptionGroupKey(subscription)
    let group = topics[topic]?[key] ?? SubscriptionGroup()
    group.insert(subscription)
    topics[topic, default: [:]][key] = group
    count += 1
    if isFirst { topicDidChange(topic, true) }
  }

  private func leave(_ subscription: Subscription) {
    let topic = subscription.source.topic
    let key = SubscriptionGroupKey(subscription)
    // One that was not started is in no group.
    guard let group = topics[topic]?[key], group.remove(subscription) else { return }
    count -= 1
    guard group.members.isEmpty else { return }
    topics[topic]?[key] = nil
    guard topics[topic]?.isEmpty == true else { return }
    topics[topic] = nil
    topicDidChange(topic, false)
  }

  // MARK: The backlog

  private func read(_ subscription: Subscription) { spawn { [self] in await takeSteps(of: subscription) } }

  /// Takes the steps of a subscription's reader. Nothing is awaited between reading a piece and handing it to the
  /// machine, so nothing is published between the last piece and the moment from which the subscription is live.
  private func takeSteps(of subscription: Subscription) async {
    while true {
      switch subscription.machine.nextStep(isBehind: subscription.sink.isBehind) {
      case .read(let position):
        if let piece = subscription.backlog(after: position) { handle(.read(piece), of: subscription) }
      case .execute(let event): await replay(event, to: subscription)
      case .yield: await Task.yield()
      case .stop: return
      }
    }
  }

  private func replay(_ event: SourceEvent, to subscription: Subscription) async {
    let response: SubscriptionResponse
    switch subscription.execute(event, executor) {
    case .response(let made): response = made
    case .waiting(let waiting): response = await waiting.finish(executor)
    case .skipped, nil: return
    }
    if case .deliver = subscription.machine.handle(.replayed(position: response.position)) {
      subscription.sink.receive(response)
    }
  }
}

extension ErrorCode {
  /// A subscription's events come faster than they can be answered.
  package static let eventsTooFast = ErrorCode(rawValue: "EVENTS_TOO_FAST")
}
