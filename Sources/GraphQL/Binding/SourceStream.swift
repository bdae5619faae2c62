/// The source stream of a subscription (specification, section 6.2.3.1): the events of its root field for one
/// subscriber.
///
/// The stream reads from a log. Events that were published before can be replayed from a backlog. New events are
/// delivered to all subscribers in the order of their positions.
package struct SourceStream {
  package typealias Backlog = (_ after: Int64?, any ExecutionContext) throws -> SourceBacklog
  package typealias Check = (SourceEvent, any ExecutionContext) throws -> Bool

  /// The topic whose events the stream receives.
  package var topic: Topic
  /// Subscriptions of a topic with the same operation, equal variables and equal visibility share one execution per
  /// event.
  package var visibility: AnyHashable
  /// Identifies the caller among those of equal visibility. If the operation selects a field that depends on the
  /// caller, this is equal too for subscriptions that share executions. Nil if it does not, or if visibility identifies
  /// the caller.
  package var caller: AnyHashable?
  /// The position after which the subscriber resumes, or nil to start with the beginning of the backlog.
  package var position: Int64?
  /// Returns the events after a position, in pieces, until all are read. Nil if the log keeps no events.
  package var backlog: Backlog?
  /// Whether an event is still current when it is executed, checked in the context of that execution. An event whose
  /// subject no longer exists is skipped. Nil if every event is current.
  package var isCurrent: Check?

  package init(
    _ topic: Topic,
    visibility: AnyHashable,
    caller: AnyHashable? = nil,
    after position: Int64? = nil,
    backlog: Backlog? = nil,
    isCurrent: Check? = nil
  ) {
    self.topic = topic
    self.visibility = visibility
    self.caller = caller
    self.position = position
    self.backlog = backlog
    self.isCurrent = isCurrent
  }
}

/// The subject of events, to which subscriptions subscribe.
package struct Topic: Hashable, Sendable {
  package let name: String
  package let key: Int64
  /// The log whose positions the events have. Several topics can share it.
  package let log: Int64

  package init(_ name: String, key: Int64 = 0, log: Int64 = 0) {
    self.name = name
    self.key = key
    self.log = log
  }
}

/// One event of a source stream, before it is mapped to a response.
package struct SourceEvent: Sendable {
  /// The value of the root object (`ObjectView.value`), from which the root field is resolved.
  package var value: any Sendable
  /// The position of the event in its log, or nil if the log has no positions. Positions increase.
  package var position: Int64?
  /// Whether the event is replayed from the backlog, so that the client may have received it before. Its position is
  /// not sent.
  package var isReplay: Bool

  package init(_ value: any Sendable, position: Int64? = nil, isReplay: Bool = false) {
    self.value = value
    self.position = position
    self.isReplay = isReplay
  }
}

/// A piece of the backlog.
package struct SourceBacklog {
  /// Each has a position: when a slow consumer interrupts the piece, the rest is read again after the last one.
  package var events: [SourceEvent]
  /// The position up to which the piece is complete. The next piece is read after it. A piece without events whose
  /// `reached` equals the position it was read after is the last one.
  package var reached: Int64

  package init(_ events: [SourceEvent], reached: Int64) {
    assert(events.allSatisfy { $0.position != nil }, "an event of a backlog has no position")
    self.events = events
    self.reached = reached
  }
}

/// Creates the source stream of a root field. `resume` is the position from which the client resumes, as it was sent
/// with an event (`extensions.position`). The client receives a thrown `FieldError`.
package typealias SourceBinding =
  @Sendable (_ arguments: Arguments, _ resume: String?, any ExecutionContext) throws -> SourceStream
