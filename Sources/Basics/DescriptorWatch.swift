/// Watches a file descriptor that another library opened and closes, until `stop()`. Made by a `DescriptorWatcher`, and
/// used on its thread.
package protocol DescriptorWatch: AnyObject {
  /// Replaces the events that are watched for. None: the descriptor is not watched for now.
  func watch(for events: DescriptorEvents)

  /// Stops watching. Must be called before the descriptor is closed; the action is not called again.
  func stop()
}

/// Makes watches of descriptors: an event loop. It is a protocol so that a target that reads from a descriptor does not
/// depend on the event loop.
package protocol DescriptorWatcher {
  /// Calls `action` on the loop's thread whenever an event is possible without blocking. The watch begins with no
  /// events. Must be called on the loop's thread.
  func makeWatch(of descriptor: Int32, _ action: @escaping (DescriptorEvents) -> Void) throws -> any DescriptorWatch
}

/// What can be done with a descriptor without blocking.
package struct DescriptorEvents: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let readable = DescriptorEvents(rawValue: 1)
  package static let writable = DescriptorEvents(rawValue: 2)
}
