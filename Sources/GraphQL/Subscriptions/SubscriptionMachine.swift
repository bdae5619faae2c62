/// A subscription as a pure state machine: what happens to it goes in, and what its hub has to do comes out.
///
/// A subscription whose source keeps its events reads that backlog first, piece by piece and no faster than its client
/// takes the responses. It is live from the piece on that has no events and reached no further than asked. Positions
/// rise, and an event whose position the subscription has passed is not delivered again.
struct SubscriptionMachine {
  enum Phase {
    case new
    /// Reads the backlog, in which it comes to the events with a position that are published meanwhile.
    case catchingUp
    case live
    case ended
  }

  enum Event {
    /// The client can receive responses.
    case started(hasBacklog: Bool)
    /// The client takes responses again, after it was behind.
    case drained
    /// A piece of the backlog was read.
    case read(SourceBacklog)
    /// An event of the backlog has its response.
    case replayed(position: Int64?)
    /// An event that was published to the topic has its response.
    case published(position: Int64?)
    /// The client wants no more.
    case cancelled
    /// The source has ended, or with errors the client may not receive more of it.
    case ended([GraphQLError])
  }

  enum Action {
    case nothing
    /// Enter the subscription into its topic, and read its backlog where it has one.
    case join(readsBacklog: Bool)
    /// Take the reader's steps until `stop`.
    case readBacklog
    /// Send the response to the client.
    case deliver
    /// Remove the subscription from its topic.
    case leave
    /// Remove it from its topic and tell the client why.
    case end([GraphQLError])
  }

  /// What the reader of the backlog does next.
  enum ReaderStep {
    /// Read a piece; `read` follows, or an end.
    case read(after: Int64?)
    /// Execute an event of the piece; `replayed` follows where it has a response.
    case execute(SourceEvent)
    /// Let other work of the loop go first: a piece is finished.
    case yield
    case stop
  }

  private(set) var phase = Phase.new
  /// The position of the last event that was delivered, or looked at in the backlog.
  private(set) var position: Int64?
  private var isReading = false
  /// The piece of the backlog that is being delivered, and what is left of its events.
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
    case .read(let piece):
      guard phase == .catchingUp else { return .nothing }
      if piece.events.isEmpty && piece.reached == position {
        phase = .live
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

  /// Whether an event that is published with this position now is delivered. One that has a position waits in the
  /// backlog for a subscription that still reads it; one without is not kept anywhere.
  func receives(_ position: Int64?) -> Bool { phase == .live || (phase == .catchingUp && position == nil) }

  private mutating func delivery(of new: Int64?) -> Action {
    if let new {
      if let position, new <= position { return .nothing }
      position = new
    }
    return .deliver
  }

  /// The next step of the reader. A piece that the client does not take whole is read again from its first event that
  /// was not delivered.
  /// - Parameter isBehind: whether the client has left so many responses untaken that it should be sent no more.
  mutating func nextStep(isBehind: Bool) -> ReaderStep {
    guard phase == .catchingUp else { return stop() }
    if let piece, piece.events.isEmpty {
      position = max(piece.reached, position ?? piece.reached)
      self.piece = nil
      return .yield
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
