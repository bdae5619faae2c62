/// Watches a file descriptor that another library opened and closes, until `stop()`. Made by a `DescriptorWatcher`, and
/// used on its thread.
package protocol DescriptorWatch: AnyObject {
  /// Replaces the events that are watched for. None: the descriptor is not watched for now.
  func watch(for events: DescriptorEvents)

  /// Stops watching. Must be called before the descriptor is closed; the action is not called again.
  func stop()
}

/// What others need of an event loop. It is a protocol so that a target that reads from a descriptor does not depend on
/// the event loop.
package protocol DescriptorWatcher {
  /// Calls `action` on the loop's thread whenever an event is possible without blocking. The watch begins with no
  /// events. Must be called on the loop's thread.
  func makeWatch(of descriptor: Int32, _ action: @escaping (DescriptorEvents) -> Void) throws -> any DescriptorWatch

  /// Makes a timer that calls `action` on the loop's thread. Must be called on the loop's thread.
  func makeTimer(_ action: @escaping () -> Void) -> any WatcherTimer

  /// Calls `action` at the end of each turn, when the loop has nothing to do before it looks for new events. Must be
  /// called on the loop's thread. The action is kept until the loop ends.
  func whenTurnsEnd(_ action: @escaping () -> Void)
}

/// A timer of a `DescriptorWatcher`. Confined to the thread of the loop.
package protocol WatcherTimer: AnyObject {
  /// Calls the action once after `milliseconds`. Replaces an earlier schedule.
  func start(after milliseconds: UInt64)

  /// Ends the timer. It stays in memory until then.
  func close()
}

/// What can be done with a descriptor without blocking.
package struct DescriptorEvents: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let readable = DescriptorEvents(rawValue: 1)
  package static let writable = DescriptorEvents(rawValue: 2)
}
