import Logging
import Storage

/// Sends notifications to devices and to the operator's webhook, by a sender for each channel that is configured.
final class PushDelivery: Sendable {
  let channels: [PushChannelDelivery]
  private let queue: PushQueue

  init(
    _ queue: PushQueue,
    leases: Leases,
    database: Database,
    clock: Clock,
    log: Logger,
    senders: [PushChannel: any PushSender],
    compose: @escaping PushChannelDelivery.Compose
  ) throws {
    self.queue = queue
    channels = try senders.sorted { $0.key.rawValue < $1.key.rawValue }.map { channel, sender in
      try PushChannelDelivery(
        channel,
        queue: queue,
        leases: leases,
        database: database,
        clock: clock,
        log: log,
        sender: sender,
        compose: compose
      )
    }
  }

  /// Waiting pushes are sent after the next start.
  func stop() async {
    queue.close()
    for channel in channels { await channel.stop() }
  }

  /// Returns after one attempt for every push that is due now.
  func deliver() async {
    for channel in channels { await channel.deliver() }
  }

  func resume() { for channel in channels { channel.resume() } }
}
