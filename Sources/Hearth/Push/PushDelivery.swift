/// Sends notifications to devices and to the operator's webhook, by a sender for each channel that is configured.
final class PushDelivery: Sendable {
  let channels: [PushChannelDelivery]

  init(
    _ queue: PushQueue,
    in environment: WorkEnvironment,
    senders: [PushChannel: any PushSender],
    compose: @escaping PushChannelDelivery.Compose
  ) throws {
    channels = try senders.sorted { $0.key.rawValue < $1.key.rawValue }.compactMap { channel, sender in
      try queue.signals[channel].map { signal in
        try PushChannelDelivery(channel, in: environment, signal: signal, sender: sender, compose: compose)
      }
    }
    queue.whenResumed { [channels] in
      for channel in channels { channel.resume() }
    }
  }

  /// Waiting pushes are sent after the next start.
  func stop() async {
    for channel in channels { await channel.stop() }
  }

  /// Returns after one attempt for every push that is due now.
  func deliver() async {
    for channel in channels { await channel.deliver() }
  }
}
