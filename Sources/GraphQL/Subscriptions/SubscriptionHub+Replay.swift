/// Reading backlogs: each step of a subscription, which reads a piece or executes an event of it, is a turn.
extension SubscriptionHub {
  /// Lets a subscription read its backlog.
  func read(_ subscription: Subscription) {
    guard topicWillBeRead != nil else { return startReading(subscription) }
    spawn { [self] in
      await topicWillBeRead?(subscription.source.topic)
      startReading(subscription)
    }
  }

  private func startReading(_ subscription: Subscription) {
    replays.insert(subscription)
    startWorking()
  }

  /// Takes the next step of the subscription whose turn it is. Returns false if none reads its backlog.
  func advanceReplay() -> Bool {
    guard let subscription = replays.popNext() else { return false }
    switch subscription.machine.nextStep(isBehind: subscription.sink.isBehind) {
    case .read(let position): readPiece(after: position, for: subscription)
    case .execute(let event): replay(event, to: subscription)
    case .finishPiece: replays.rescheduleAfterPiece(subscription)
    case .stop: replays.remove(subscription)
    }
    return true
  }

  /// A published event was committed before: it is in every piece whose reading began later. So only events that are
  /// published while a piece is read can be missing from it.
  private func readPiece(after position: Int64?, for subscription: Subscription) {
    switch subscription.readBacklog(after: position) {
    case .piece(let piece): handle(.read(piece, isOvertaken: false), of: subscription)
    case .waiting(let context):
      return suspend(subscription) { [self] in
        let topic = subscription.source.topic
        let published = topics[topic]?.published
        guard let piece = await subscription.finishReading(after: position, in: context) else { return }
        handle(.read(piece, isOvertaken: topics[topic]?.published != published), of: subscription)
      }
    case nil: break
    }
    replays.reschedule(subscription)
  }

  private func replay(_ event: SourceEvent, to subscription: Subscription) {
    switch subscription.execute(event) {
    case .response(let response): deliver(response, to: subscription)
    case .waiting(let waiting):
      return suspend(subscription) { [self] in
        guard case .response(let response) = await subscription.finish(waiting) else { return }
        deliver(response, to: subscription)
      }
    case .skipped, nil: break
    }
    replays.reschedule(subscription)
  }

  private func deliver(_ response: SubscriptionResponse, to subscription: Subscription) {
    guard case .deliver = subscription.machine.handle(.replayed(position: response.position)) else { return }
    subscription.sink.receive(response)
  }

  /// Completes a step of a subscription, which has no turn meanwhile.
  private func suspend(_ subscription: Subscription, _ complete: @escaping () async -> Void) {
    // All are confined to this event loop, like the hub.
    nonisolated(unsafe) let complete = complete
    spawn { [self] in
      await complete()
      replays.reschedule(subscription)
      startWorking()
    }
  }
}
