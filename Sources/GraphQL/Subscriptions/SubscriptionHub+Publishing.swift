import Basics

/// Publishing. Events are executed and responses delivered in turns.
extension SubscriptionHub {
  /// Delivers an event to the subscribers of a topic, after the current job of the loop. Events with positions must be
  /// published in the order of their positions. If too many events wait for their execution, the subscriptions end.
  package func publish(_ event: SourceEvent, to topic: Topic) {
    guard let subscribers = topics[topic] else { return }
    if event.position != nil { subscribers.published += 1 }
    guard subscribers.publish(event) else {
      for subscription in subscribers.recipients(of: event) {
        subscription.end(with: [
          GraphQLError("Events are published faster than they can be delivered.", code: .eventsTooFast)
        ])
      }
      return
    }
    schedule(subscribers)
  }

  /// Returns when the events published to a topic have been executed for and delivered to all of its subscriptions, and
  /// all of these accept further responses (backpressure).
  package func finishPublishing(to topic: Topic) async {
    while let group = topics[topic]?.groups.values.first(where: { !$0.isSettled }) { await group.waitUntilSettled() }
  }

  /// Ends the subscriptions of a topic: without errors because the source stream has ended, or with errors because the
  /// subscribers may not receive further events. They receive earlier events first, unless their plan is asynchronous.
  package func end(_ topic: Topic, with errors: [GraphQLError] = []) {
    turnWillBegin()
    guard let subscribers = topics[topic] else { return }
    while let group = subscribers.popScheduledGroup() {
      advance(group, of: subscribers)
      subscribers.schedule(group)
      subscribers.publishWaiting()
    }
    for subscription in subscribers.groups.values.flatMap(\.members) { subscription.end(with: errors) }
  }

  // MARK: Turns

  private func schedule(_ subscribers: TopicSubscribers) {
    guard subscribers.hasScheduledGroups, !subscribers.isScheduled else { return }
    subscribers.isScheduled = true
    scheduledTopics.append(subscribers)
    startWorking()
  }

  /// Gives the topic whose turn it is one turn of a group. Returns false if no topic has work.
  func advanceTopic() -> Bool {
    guard let subscribers = scheduledTopics.popFirst() else { return false }
    subscribers.isScheduled = false
    if let group = subscribers.popScheduledGroup() {
      advance(group, of: subscribers)
      subscribers.schedule(group)
      subscribers.publishWaiting()
    }
    schedule(subscribers)
    return true
  }

  /// Executes the next event of a group. If no event can be executed, delivers a response to the next slice of members.
  private func advance(_ group: SubscriptionGroup, of subscribers: TopicSubscribers) {
    defer { group.resumeWaitersIfSettled() }
    guard let published = group.nextEvent() else { return group.deliverSlice() }
    while let member = published.representative {
      switch member.execute(published.event) {
      case .response(let response): return group.deliver(response, to: published.recipients)
      case .skipped: return
      // The member's subscription has ended, for instance because it lost its permissions. Other members may still have
      // theirs.
      case nil: continue
      case .waiting(let waiting): return finish(waiting, of: member, published, for: group, of: subscribers)
      }
    }
  }

  private func finish(
    _ waiting: WaitingEvent,
    of member: Subscription,
    _ published: SubscriptionGroup.PublishedEvent,
    for group: SubscriptionGroup,
    of subscribers: TopicSubscribers
  ) {
    group.isExecuting = true
    // All are confined to this event loop, like the hub.
    nonisolated(unsafe) let (waiting, group, subscribers) = (waiting, group, subscribers)
    spawn { [self] in
      var outcome = await member.finish(waiting)
      while outcome == nil, let member = published.representative {
        outcome = await member.outcome(of: published.event)
      }
      if case .response(let response) = outcome { group.deliver(response, to: published.recipients) }
      group.isExecuting = false
      subscribers.schedule(group)
      subscribers.publishWaiting()
      schedule(subscribers)
      group.resumeWaitersIfSettled()
    }
  }
}

extension ErrorCode {
  /// Events are published faster than they can be executed and delivered.
  package static let eventsTooFast = ErrorCode(rawValue: "EVENTS_TOO_FAST")
}
