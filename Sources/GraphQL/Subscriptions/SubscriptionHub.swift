import Basics

/// Delivers the events published on one event loop to its open subscriptions. Each event is executed once for each
/// group of subscriptions with equal responses, and the group shares the bytes of the response (fan-out). A large group
/// receives it in slices, between which the loop serves others. Subscriptions that read a backlog take turns with them.
///
/// `@unchecked Sendable`: the hub is confined to the thread of its event loop. The actors on that thread use it, which
/// region isolation cannot verify. Nothing else may use it.
package final class SubscriptionHub: @unchecked Sendable {
  /// Schedules work on the event loop.
  package typealias Spawn = (@escaping @Sendable () async -> Void) -> Void

  /// Returns after the event loop has served others.
  package typealias Pause = () async -> Void

  let executor: Executor
  let spawn: Spawn
  let pause: Pause
  private(set) var topics: [Topic: TopicSubscribers] = [:]
  /// The topics with work, in the order of their turns.
  var scheduledTopics = Fifo<TopicSubscribers>()
  var replays = ReplayQueue()
  /// Whether the next turn is one of a replay.
  var isReplayNext = false
  /// Whether a task gives topics and replays their turns.
  var isWorking = false
  private var operations: SubscribedOperations
  /// The number of open subscriptions.
  package private(set) var count = 0 { didSet { countDidChange(count) } }
  package var countDidChange: (Int) -> Void = { _ in }
  /// Called when a topic gets its first subscriber, and when it loses its last one.
  package var topicDidChange: (Topic, _ hasSubscribers: Bool) -> Void = { _, _ in }
  /// Called before the backlog of a topic is read, for a subscriber that was added before. Returns when every event
  /// that the backlog may lack will be published. Nil if that is always so.
  package var topicWillBeRead: ((Topic) async -> Void)?
  /// Called before each turn, for the owner to end the subscriptions whose clients may receive nothing more.
  package var turnWillBegin: () -> Void = {}

  /// - Parameter maximumOperationBytes: The maximum size in memory of the operations of all open subscriptions. One
  ///   caller has an eighth of it.
  package init(
    _ executor: Executor,
    maximumOperationBytes: Int,
    spawn: @escaping Spawn,
    pause: @escaping Pause
  ) {
    self.executor = executor
    operations = SubscribedOperations(maximumBytes: maximumOperationBytes)
    self.spawn = spawn
    self.pause = pause
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

  /// The client of a subscription accepts responses again.
  func resume(_ subscription: Subscription) {
    handle(.drained, of: subscription)
    topics[subscription.source.topic]?.group(of: subscription)?.resumeWaitersIfSettled()
  }

  private func join(_ subscription: Subscription) {
    guard operations.add(subscription.operation, variables: subscription.variables, payer: subscription.payer)
    else {
      return subscription.end(
        withExcess:
          "The operations of open subscriptions take too much memory. Subscribe with fewer different documents."
      )
    }
    let topic = subscription.source.topic
    let subscribers = topics[topic] ?? TopicSubscribers()
    guard subscribers.insert(subscription) else {
      removeOperation(of: subscription)
      return subscription.end(
        withExcess: "You have too many different subscriptions. Subscribe with fewer different documents or variables."
      )
    }
    count += 1
    guard topics[topic] == nil else { return }
    topics[topic] = subscribers
    topicDidChange(topic, true)
  }

  private func leave(_ subscription: Subscription) {
    let topic = subscription.source.topic
    // A subscription that was not started is not in a group.
    guard let subscribers = topics[topic], subscribers.remove(subscription) else { return }
    count -= 1
    removeOperation(of: subscription)
    guard subscribers.groups.isEmpty else { return }
    topics[topic] = nil
    topicDidChange(topic, false)
  }

  private func removeOperation(of subscription: Subscription) {
    operations.remove(subscription.operation, variables: subscription.variables, payer: subscription.payer)
  }
}

extension Subscription {
  fileprivate func end(withExcess message: String) {
    end(with: [GraphQLError(message, code: .tooManyOperations)])
  }
}

extension ErrorCode {
  /// A WebSocket has too many operations, those of open subscriptions take too much memory, or a caller has too many
  /// subscriptions that receive different responses.
  package static let tooManyOperations = ErrorCode(rawValue: "TOO_MANY_OPERATIONS")
}
