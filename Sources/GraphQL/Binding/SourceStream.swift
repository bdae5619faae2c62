/// The events of a subscription's root field for one who asks for it: the specification's source stream (section
/// 6.2.3.1).
///
/// It is a log that somebody publishes to. What was published before can be asked for; what is published from now on is
/// given to all who listen, in the order of the positions.
package struct SourceStream {
  package typealias Backlog = (_ after: Int64?, any ExecutionContext) throws -> SourceBacklog
  package typealias Check = (SourceEvent, any ExecutionContext) throws -> Bool

  /// What is listened to.
  package var topic: Topic
  /// Those who listen to a topic with the same operation, the same variables and an equal visibility are given the
  /// same: it is worked out once for all of them.
  package var visibility: AnyHashable
  /// Where the one who asks left off; nil to begin with the backlog's beginning.
  package var position: Int64?
  /// Gives what was published after a position, bit by bit, until there is no more; nil where nothing is kept.
  package var backlog: Backlog?
  /// Whether an event is still one when its turn comes: what it is about may be gone by then, and it is left out.
  /// Looked at in the context that it is executed in. Nil where every event is.
  package var isCurrent: Check?

  package init(
    _ topic: Topic,
    visibility: AnyHashable,
    after position: Int64? = nil,
    backlog: Backlog? = nil,
    isCurrent: Check? = nil
  ) {
    self.topic = topic
    self.visibility = visibility
    self.position = position
    self.backlog = backlog
    self.isCurrent = isCurrent
  }
}

/// What events are about, for those who listen.
package struct Topic: Hashable, Sendable {
  package let name: String
  package let key: Int64

  package init(_ name: String, _ key: Int64 = 0) {
    self.name = name
    self.key = key
  }
}

/// One event, before it is answered.
package struct SourceEvent: Sendable {
  /// What the root field is resolved from: it is the root object's value (`ObjectView.value`).
  package var value: any Sendable
  /// Where it stands among the events of its log; nil where there is none. Positions rise.
  package var position: Int64?
  /// Whether the client may have seen it already.
  package var isReplay: Bool

  package init(_ value: any Sendable, position: Int64? = nil, isReplay: Bool = false) {
    self.value = value
    self.position = position
    self.isReplay = isReplay
  }
}

/// Some of what was published before.
package struct SourceBacklog {
  package var events: [SourceEvent]
  /// Up to which position everything was looked at: the next piece is asked for after it. One without events that
  /// reached no further is the last.
  package var reached: Int64

  package init(_ events: [SourceEvent], reached: Int64) {
    self.events = events
    self.reached = reached
  }
}

/// What makes a root field's source stream. `resume` is what the client says of where it left off, as it was told with
/// an event (`extensions.position`); a `FieldError` that is thrown is what the client is answered.
package typealias SourceBinding =
  @Sendable (_ arguments: Arguments, _ resume: String?, any ExecutionContext) throws -> SourceStream
