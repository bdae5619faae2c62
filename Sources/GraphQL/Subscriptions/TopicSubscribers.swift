import Basics

/// The subscriptions of a topic. Confined to the hub.
final class TopicSubscribers {
  private(set) var groups: [SubscriptionGroupKey: SubscriptionGroup] = [:]
  /// The number of events with positions that were published since the first subscriber.
  var published = 0
  /// Events that the groups do not have yet. They are here once, and in the groups once for each.
  private var waiting = Fifo<SourceEvent>()
  /// The maximum number of events in the groups before further ones wait.
  private static let maximumBacklog = 1000
  /// The maximum number of events that wait.
  private static let maximumWaiting = 10_000
  /// The groups that wait for their turn.
  private var scheduled = Fifo<SubscriptionGroup>()
  /// The group that has the next turns, so that the responses of few groups are in memory until all have received them.
  private var delivering: SubscriptionGroup?
  /// Whether the topic waits for its turn.
  var isScheduled = false

  /// The numbers of groups by the caller whose subscription was the first.
  private var groupCounts: [Int?: Int] = [:]
  /// The maximum number of groups of a caller: each event is executed as often.
  private static let maximumGroupsOfPayer = 250

  // MARK: Subscriptions

  /// Adds a subscription. Returns false, and adds nothing, if the caller has too many that receive different responses.
  func insert(_ subscription: Subscription) -> Bool {
    let key = SubscriptionGroupKey(subscription)
    if let group = groups[key] {
      group.insert(subscription)
      return true
    }
    let payer = subscription.payer
    guard groupCounts[payer, default: 0] < Self.maximumGroupsOfPayer else { return false }
    groupCounts[payer, default: 0] += 1
    let group = SubscriptionGroup(payer: payer)
    group.insert(subscription)
    groups[key] = group
    return true
  }

  func group(of subscription: Subscription) -> SubscriptionGroup? { groups[SubscriptionGroupKey(subscription)] }

  /// Returns false when the subscription was not added.
  func remove(_ subscription: Subscription) -> Bool {
    let key = SubscriptionGroupKey(subscription)
    guard let group = groups[key], group.remove(subscription) else { return false }
    if group.members.isEmpty {
      groups[key] = nil
      let count = groupCounts[group.payer, default: 0] - 1
      groupCounts[group.payer] = count > 0 ? count : nil
    }
    return true
  }

  /// The subscriptions that receive an event when it is published. Others will read it from the backlog.
  func recipients(of event: SourceEvent) -> [Subscription] {
    groups.values.flatMap { $0.members.filter { $0.machine.receives(event.position) } }
  }

  // MARK: Events

  /// Passes an event to the groups, at once or when they have executed others. Returns false if too many wait for that.
  func publish(_ event: SourceEvent) -> Bool {
    if waiting.isEmpty && backlogCount < Self.maximumBacklog {
      append(event)
    } else {
      guard waiting.count < Self.maximumWaiting else { return false }
      waiting.append(event)
    }
    return true
  }

  /// Passes events that wait to the groups if these have executed enough others.
  func publishWaiting() {
    while !waiting.isEmpty, backlogCount < Self.maximumBacklog, let event = waiting.popFirst() { append(event) }
  }

  private func append(_ event: SourceEvent) {
    for group in groups.values {
      group.append(event)
      schedule(group)
    }
  }

  private var backlogCount: Int { groups.values.reduce(0) { $0 + $1.backlogCount } }

  // MARK: Turns

  var hasScheduledGroups: Bool { delivering != nil || !scheduled.isEmpty }

  /// Adds a group that has work, and does not wait for its turn already, to those that do.
  func schedule(_ group: SubscriptionGroup) {
    guard group.hasWork, !group.isScheduled else { return }
    group.isScheduled = true
    if group.isDelivering && delivering == nil { delivering = group } else { scheduled.append(group) }
  }

  /// Removes the group whose turn it is.
  func popScheduledGroup() -> SubscriptionGroup? {
    let group = delivering ?? scheduled.popFirst()
    delivering = nil
    group?.isScheduled = false
    return group
  }
}
