/// A subscription as a pure state machine: its input is what happens, its output is what the hub must do.
///
/// If the source has a backlog, the subscription first reads it in pieces, no faster than the client accepts responses
/// (backpressure). It becomes live with a piece that has no events and reaches no further than the current position, if
/// no event was published while the piece was read. Otherwise that event may be missing, and the backlog is read again.
/// Positions increase. An event at or before the subscription's position is not delivered again. All events of the
/// backlog have positions, so that each delivered one is progress, however often a slow client interrupts the reading.
struct SubscriptionMachine {
  enum Phase {
    case new
    /// The subscription reads the backlog. Published events with a position are delivered when the backlog reaches
    /// them.
    case catchingUp
    case live
    case ended
  }

  enum Event {
    /// The client can receive responses.
    case started(hasBacklog: Bool)
    /// The client accepts responses again, after it was behind.
    case drained
    /// A piece of the backlog was read. `isOvertaken`: an event with a position was published meanwhile.
    case read(SourceBacklog, isOvertaken: Bool)
    /// An event of the backlog has been executed.
    case replayed(position: Int64?)
    /// A published event has been executed.
    case published(position: Int64?)
    /// The client has cancelled the subscription.
    case cancelled
    /// The source stream has ended, or, with errors, the client may not receive further events.
    case ended([GraphQLError])
  }

  enum Action {
    case nothing
    /// Add the subscription to its topic, and read its backlog if it has one.
    case join(readsBacklog: Bool)
    /// Run the backlog reader until `stop`.
    case readBacklog
    /// Send the response to the client.
    case deliver
    /// Remove the subscription from its topic.
    case leave
    /// Remove the subscription from its topic and send the errors to the client.
    case end([GraphQLError])
  }

  /// The next step of the backlog reader.
  enum ReaderStep {
    /// Read a piece, then handle `read`, unless the subscription has ended.
    case read(after: Int64?)
    /// Execute an event of the piece, then handle `replayed` if the event has a response.
    case execute(SourceEvent)
    /// Let other subscriptions of the caller read, because a piece is complete.
    case finishPiece
    case stop
  }

  private(set) var phase = Phase.new
  /// The position of the last event that was delivered, or that the backlog has reached.
  private(set) var position: Int64?
  private var isReading = false
  /// The current piece of the backlog, with its remaining events.
  private var piece: (events: ArraySlice<SourceEvent>, reached: Int64)?

  init(position: Int64?) { self.position = position }

  mutating func handle(_ event: Event) -> Action {
    switch event {
    case .started(let hasBacklog):
      guard phase == .new else { return .nothing }
      phase = hasBacklog ? .catchingUp : .live
      isReading = hasBacklog
      return .join(readsBacklog: hasBacklog)
    case .drained:
      guard phase == .catchingUp, !isReading else { return .nothing }
      isReading = true
      return .readBacklog
    case .read(let piece, let isOvertaken):
      guard phase == .catchingUp else { return .nothing }
      if piece.events.isEmpty && piece.reached == position {
        if !isOvertaken { phase = .live }
      } else {
        self.piece = (piece.events[...], piece.reached)
      }
      return .nothing
    case .replayed(let position): return phase == .catchingUp ? delivery(of: position) : .nothing
    case .published(let position): return receives(position) ? delivery(of: position) : .nothing
    case .cancelled:
      defer { phase = .ended }
      return phase == .catchingUp || phase == .live ? .leave : .nothing
    case .ended(let errors):
      guard phase != .ended else { return .nothing }
      phase = .ended
      return .end(errors)
    }
  }

  /// Whether an event published now with this position is delivered. An event with a position will be read from the
  /// backlog by a subscription that is catching up. An event without a position is not stored anywhere.
  func receives(_ position: Int64?) -> Bool { phase == .live || (phase == .catchingUp && position == nil) }

  private mutating func delivery(of new: Int64?) -> Action {
    if let new {
      if let position, new <= position { return .nothing }
      position = new
    }
    return .deliver
  }

  /// Returns the next step of the reader. If the client does not accept the whole piece, the rest is read again later.
  /// - Parameter isBehind: Whether the client is a slow consumer, which should receive nothing more for now.
  mutating func nextStep(isBehind: Bool) -> ReaderStep {
    guard phase == .catchingUp else { return stop() }
    if let piece, piece.events.isEmpty {
      position = max(piece.reached, position ?? piece.reached)
      self.piece = nil
      return .finishPiece
    }
    if isBehind { return stop() }
    return (piece?.events.popFirst()).map { .execute($0) } ?? .read(after: position)
  }

  private mutating func stop() -> ReaderStep {
    isReading = false
    piece = nil
    return .stop
  }
}
