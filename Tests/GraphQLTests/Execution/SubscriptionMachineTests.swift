import Basics
import Testing

@testable import GraphQL

/// The state machine of a subscription, tested by tables of inputs and the expected outputs for the hub.
@Suite("The state machine of a subscription")
struct SubscriptionMachineTests {
  enum Input: Sendable {
    case started(backlog: Bool)
    case drained
    case piece([Int64?], reached: Int64)
    /// A piece during whose reading an event was published.
    case overtakenPiece([Int64?], reached: Int64)
    case replayed(Int64?)
    case published(Int64?)
    case cancelled
    case ended
    /// The next step of the backlog reader.
    case step
    /// The same step for a client that is behind.
    case stepBehind

    func act(on machine: inout SubscriptionMachine) -> String {
      switch self {
      case .started(let backlog): Self.text(machine.handle(.started(hasBacklog: backlog)))
      case .drained: Self.text(machine.handle(.drained))
      case .piece(let positions, let reached):
        Self.text(machine.handle(Self.read(positions, reached, isOvertaken: false)))
      case .overtakenPiece(let positions, let reached):
        Self.text(machine.handle(Self.read(positions, reached, isOvertaken: true)))
      case .replayed(let position): Self.text(machine.handle(.replayed(position: position)))
      case .published(let position): Self.text(machine.handle(.published(position: position)))
      case .cancelled: Self.text(machine.handle(.cancelled))
      case .ended: Self.text(machine.handle(.ended([GraphQLError("No more", code: .internalError)])))
      case .step: Self.text(machine.nextStep(isBehind: false))
      case .stepBehind: Self.text(machine.nextStep(isBehind: true))
      }
    }

    private static func read(_ positions: [Int64?], _ reached: Int64, isOvertaken: Bool) -> SubscriptionMachine.Event {
      .read(
        SourceBacklog(positions.map { SourceEvent(0, position: $0) }, reached: reached),
        isOvertaken: isOvertaken
      )
    }

    private static func text(_ action: SubscriptionMachine.Action) -> String {
      switch action {
      case .nothing: "nothing"
      case .join(let readsBacklog): readsBacklog ? "join and read" : "join"
      case .readBacklog: "read the backlog"
      case .deliver: "deliver"
      case .leave: "leave"
      case .end(let errors): "end: \(errors.map(\.message).joined())"
      }
    }

    private static func text(_ step: SubscriptionMachine.ReaderStep) -> String {
      switch step {
      case .read(let position): "read after \(position.map(String.init) ?? "nothing")"
      case .execute(let event): "execute \(event.position.map(String.init) ?? "unkept")"
      case .finishPiece: "finish the piece"
      case .stop: "stop"
      }
    }
  }

  struct Story: Sendable, CustomTestStringConvertible {
    let name: String
    let position: Int64?
    let lines: [(Input, String)]
    var testDescription: String { name }

    init(_ name: String, after position: Int64? = nil, _ lines: [(Input, String)]) {
      self.name = name
      self.position = position
      self.lines = lines
    }
  }

  static let stories = [
    Story(
      "a subscription without a backlog is live immediately",
      [
        (.started(backlog: false), "join"), (.published(nil), "deliver"), (.published(7), "deliver"),
        (.drained, "nothing"), (.cancelled, "leave"), (.published(8), "nothing"),
      ]
    ),
    Story(
      "the subscription is live after the backlog has been read in pieces",
      after: 4,
      [
        (.started(backlog: true), "join and read"), (.step, "read after 4"), (.piece([5, 6], reached: 6), "nothing"),
        (.step, "execute 5"), (.replayed(5), "deliver"), (.step, "execute 6"), (.replayed(6), "deliver"),
        (.step, "finish the piece"), (.step, "read after 6"), (.piece([], reached: 6), "nothing"), (.step, "stop"),
        (.published(7), "deliver"),
      ]
    ),
    Story(
      "the backlog is read from the beginning",
      [
        (.started(backlog: true), "join and read"), (.step, "read after nothing"), (.piece([1], reached: 1), "nothing"),
        (.step, "execute 1"), (.replayed(1), "deliver"), (.step, "finish the piece"), (.step, "read after 1"),
      ]
    ),
    Story(
      "skipped events are passed with their piece",
      after: 1,
      [
        (.started(backlog: true), "join and read"), (.step, "read after 1"), (.piece([2, 3], reached: 9), "nothing"),
        (.step, "execute 2"), (.step, "execute 3"), (.step, "finish the piece"), (.step, "read after 9"),
      ]
    ),
    Story(
      "a gap: a piece without events that reaches further is not the last",
      after: 1,
      [
        (.started(backlog: true), "join and read"), (.step, "read after 1"), (.piece([], reached: 50), "nothing"),
        (.step, "finish the piece"), (.step, "read after 50"), (.piece([], reached: 50), "nothing"), (.step, "stop"),
        (.published(50), "nothing"), (.published(51), "deliver"),
      ]
    ),
    Story(
      "an event that is published while the last piece is read can be missing: the backlog is read again",
      after: 4,
      [
        (.started(backlog: true), "join and read"), (.step, "read after 4"), (.published(5), "nothing"),
        (.overtakenPiece([], reached: 4), "nothing"), (.step, "read after 4"), (.piece([5], reached: 5), "nothing"),
        (.step, "execute 5"), (.replayed(5), "deliver"), (.step, "finish the piece"), (.step, "read after 5"),
        (.piece([], reached: 5), "nothing"), (.step, "stop"), (.published(6), "deliver"),
      ]
    ),
    Story(
      "published events are delivered from the backlog while it is read, or immediately if they have no position",
      after: 1,
      [
        (.started(backlog: true), "join and read"), (.step, "read after 1"), (.published(2), "nothing"),
        (.published(nil), "deliver"), (.piece([2], reached: 2), "nothing"), (.step, "execute 2"),
        (.published(nil), "deliver"), (.replayed(2), "deliver"), (.step, "finish the piece"), (.step, "read after 2"),
        (.piece([], reached: 2), "nothing"), (.published(2), "nothing"), (.published(3), "deliver"),
      ]
    ),
    Story(
      "a position that was passed is not delivered again",
      after: 10,
      [
        (.started(backlog: false), "join"), (.published(9), "nothing"), (.published(10), "nothing"),
        (.published(12), "deliver"), (.published(11), "nothing"), (.published(12), "nothing"),
        (.published(nil), "deliver"), (.published(13), "deliver"),
      ]
    ),
    Story(
      "reading stops for a slow consumer, and continues after its last event when it has caught up",
      after: 1,
      [
        (.started(backlog: true), "join and read"), (.drained, "nothing"), (.step, "read after 1"),
        (.piece([2, 3, 4], reached: 4), "nothing"), (.step, "execute 2"), (.replayed(2), "deliver"),
        (.stepBehind, "stop"), (.drained, "read the backlog"), (.drained, "nothing"), (.step, "read after 2"),
        (.piece([3, 4], reached: 4), "nothing"), (.step, "execute 3"),
      ]
    ),
    Story(
      "a completely delivered piece is finished also if the client is behind",
      after: 1,
      [
        (.started(backlog: true), "join and read"), (.step, "read after 1"), (.piece([2], reached: 8), "nothing"),
        (.step, "execute 2"), (.replayed(2), "deliver"), (.stepBehind, "finish the piece"), (.stepBehind, "stop"),
        (.drained, "read the backlog"), (.step, "read after 8"),
      ]
    ),
    Story(
      "a slow consumer that is live still receives events, and its connection decides",
      [
        (.started(backlog: false), "join"), (.published(1), "deliver"), (.drained, "nothing"),
        (.published(2), "deliver"),
      ]
    ),
    Story(
      "a cancellation ends the reading without a notification",
      after: 1,
      [
        (.started(backlog: true), "join and read"), (.step, "read after 1"), (.cancelled, "leave"),
        (.piece([2], reached: 2), "nothing"), (.step, "stop"), (.replayed(2), "nothing"), (.published(nil), "nothing"),
        (.drained, "nothing"), (.cancelled, "nothing"), (.ended, "nothing"),
      ]
    ),
    Story(
      "an end is reported once",
      [
        (.started(backlog: false), "join"), (.ended, "end: No more"), (.ended, "nothing"), (.cancelled, "nothing"),
        (.published(1), "nothing"),
      ]
    ),
    Story(
      "an end within a piece skips the rest of it",
      after: 1,
      [
        (.started(backlog: true), "join and read"), (.step, "read after 1"), (.piece([2, 3], reached: 3), "nothing"),
        (.step, "execute 2"), (.ended, "end: No more"), (.replayed(2), "nothing"), (.step, "stop"),
      ]
    ),
    Story(
      "a subscription that ends before its start is notified, and never joins",
      [(.ended, "end: No more"), (.started(backlog: true), "nothing"), (.step, "stop")]
    ),
    Story(
      "a subscription that is cancelled before its start never joins",
      [
        (.published(1), "nothing"), (.drained, "nothing"), (.cancelled, "nothing"),
        (.started(backlog: false), "nothing"),
      ]
    ),
    Story(
      "a subscription is started once",
      [(.started(backlog: false), "join"), (.started(backlog: true), "nothing"), (.published(1), "deliver")]
    ),
  ]

  @Test(arguments: stories)
  func `reacts to each input as in its table`(story: Story) {
    var machine = SubscriptionMachine(position: story.position)
    for (index, (input, expected)) in story.lines.enumerated() {
      let action = input.act(on: &machine)
      #expect(action == expected, "line \(index + 1): \(input)")
    }
  }

  @Test func `a backlog is delivered completely and once, however often a slow client interrupts its pieces`() {
    var random = SeededGenerator(seed: 7)
    for count: Int64 in 1...100 {
      let backlog = (1...count).map { 2 * $0 }
      var machine = SubscriptionMachine(position: 0)
      var delivered: [Int64] = []
      _ = machine.handle(.started(hasBacklog: true))
      while machine.phase == .catchingUp {
        // More often than not, so that hardly any piece is read without an interruption.
        switch machine.nextStep(isBehind: Int.random(in: 0..<3, using: &random) > 0) {
        case .read(let after):
          let positions = backlog.filter { $0 > after ?? 0 }.prefix(32)
          let events = positions.map { SourceEvent(0, position: $0, isReplay: $0 <= count) }
          let piece = SourceBacklog(events, reached: positions.last ?? after ?? 0)
          _ = machine.handle(.read(piece, isOvertaken: false))
        case .execute(let event):
          let action = machine.handle(.replayed(position: event.position))
          if case .deliver = action, let position = event.position { delivered.append(position) }
        case .finishPiece: break
        case .stop: _ = machine.handle(.drained)
        }
        guard delivered.count <= backlog.count else { break }
      }
      #expect(delivered == backlog)
      #expect(machine.phase == .live)
    }
  }

  @Test func `delivered positions always increase`() {
    var random = SeededGenerator(seed: 13)
    for _ in 0..<200 {
      var machine = SubscriptionMachine(position: 5)
      var last: Int64 = 5
      _ = machine.handle(.started(hasBacklog: Bool.random(using: &random)))
      for _ in 0..<50 {
        let position = Int64.random(in: 0...30, using: &random)
        let input: Input =
          [
            .piece([position, position + 1], reached: position + 1), .replayed(position), .published(position), .step,
            .stepBehind, .drained,
          ]
          .randomElement(using: &random) ?? .step
        if input.act(on: &machine) == "deliver" { #expect(position > last) }
        #expect((machine.position ?? 0) >= last)
        last = machine.position ?? last
      }
    }
  }
}
