import HTTPServer
import Testing

@testable import GraphQLTransport

@Suite("Throttling by loop time")
struct LoopThrottleTests {
  private static let millisecond: UInt64 = 1_000_000
  private static let second: UInt64 = 1_000_000_000
  private static let limits = {
    var limits = LoopThrottle.Limits(share: 0.05)
    limits.usualTime = millisecond
    limits.allowance = 50 * millisecond
    limits.shortTime = millisecond / 2
    limits.courtesy = 10 * millisecond
    limits.longestWait = 2 * second
    return limits
  }()
  private let caller = Payer(.network, key: 1)

  /// A caller who has used as many requests of so many milliseconds at the start, and asks at a later moment.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let requests: Int
    let milliseconds: UInt64
    let askedAt: UInt64
    let turn: LoopThrottle.Turn

    init(_ description: String, _ requests: Int, of milliseconds: UInt64, at askedAt: UInt64, _ turn: LoopThrottle.Turn)
    {
      testDescription = description
      self.requests = requests
      self.milliseconds = milliseconds
      self.askedAt = askedAt
      self.turn = turn
    }
  }

  @Test(arguments: [
    Case("usual requests are free", 100_000, of: 1, at: 0, .now),
    Case("the allowance is free", 50, of: 2, at: 0, .now),
    Case("what is beyond the allowance waits until the share has paid it", 60, of: 2, at: 0, .after(200 * millisecond)),
    Case("time pays the debt", 60, of: 2, at: 100 * millisecond, .after(100 * millisecond)),
    Case("a debt that is paid is forgotten", 60, of: 2, at: 200 * millisecond, .now),
    Case("one long request counts as many short ones", 1, of: 61, at: 0, .after(200 * millisecond)),
    Case("a wait that is too long is rejected", 1, of: 251, at: 0, .rejected(retryAfter: 5)),
  ])
  func `a caller's turn`(example: Case) {
    var throttle = LoopThrottle(Self.limits)
    for _ in 0..<example.requests { throttle.charge(example.milliseconds * Self.millisecond, to: caller, at: 0) }
    #expect(throttle.takeTurn(of: caller, at: example.askedAt) == example.turn)
    #expect(throttle.takeTurn(of: Payer(.network, key: 2), at: example.askedAt) == .now)
  }

  @Test func `large responses are charged by their bytes, and others are free`() {
    var limits = Self.limits
    (limits.freeBytes, limits.timeOfByte) = (1_000, 0.5)
    var throttle = LoopThrottle(limits)
    for _ in 0..<1_000 { throttle.charge(bytes: 1_000, to: caller, at: 0) }
    #expect(throttle.takeTurn(of: caller, at: 0) == .now && throttle.isIdle)
    // 60 ms are 10 more than the allowance.
    throttle.charge(bytes: 1_000 + 120_000_000, to: caller, at: 0)
    #expect(throttle.takeTurn(of: caller, at: 0) == .after(200 * Self.millisecond))
    var unlimited = LoopThrottle(LoopThrottle.Limits(share: 1))
    unlimited.charge(bytes: .max, to: caller, at: 0)
    #expect(unlimited.isIdle)
  }

  @Test func `requests that wait are let go one after the other, at the share's rate`() {
    var throttle = LoopThrottle(Self.limits)
    for _ in 0..<50 { throttle.charge(2 * Self.millisecond, to: caller, at: 0) }
    throttle.charge(2 * Self.millisecond, to: caller, at: 0)
    let waits = (0..<3).map { _ in throttle.takeTurn(of: caller, at: 0) }
    #expect(waits == [.after(20 * Self.millisecond), .after(40 * Self.millisecond), .after(60 * Self.millisecond)])
    for _ in 0..<3 { throttle.begin(caller) }
    #expect(throttle.takeTurn(of: caller, at: 20 * Self.millisecond) == .now)
  }

  /// A client can go before its request reserves a turn.
  @Test func `asking whether a request waits reserves nothing`() {
    var throttle = LoopThrottle(Self.limits)
    throttle.charge(61 * Self.millisecond, to: caller, at: 0)
    for _ in 0..<1_000 {
      let isDelayed = throttle.delays(caller, at: 0)
      #expect(isDelayed)
    }
    #expect(throttle.takeTurn(of: caller, at: 0) == .after(200 * Self.millisecond))
    throttle.begin(caller)
    let isDelayed = throttle.delays(caller, at: 2 * Self.second)
    #expect(!isDelayed)
    #expect(throttle.isIdle)
  }

  @Test func `requests begin after those of others for a while once one took longer than the short time`() {
    var throttle = LoopThrottle(Self.limits)
    throttle.charge(Self.millisecond / 2, to: caller, at: 0)
    #expect(throttle.isIdle)
    throttle.charge(Self.millisecond / 2 + 1, to: caller, at: 0)
    let isDelayed = throttle.delays(caller, at: 9 * Self.millisecond)
    let isOtherDelayed = throttle.delays(Payer(.network, key: 2), at: 9 * Self.millisecond)
    #expect(isDelayed && !isOtherDelayed)
    // There is no debt: the request begins as soon as others were served.
    #expect(throttle.takeTurn(of: caller, at: 9 * Self.millisecond) == .now)
    let isDelayedLater = throttle.delays(caller, at: 10 * Self.millisecond)
    #expect(!isDelayedLater)
    #expect(throttle.isIdle)
  }

  @Test func `a share of one limits nothing`() {
    var throttle = LoopThrottle(LoopThrottle.Limits(share: 1))
    throttle.charge(60 * Self.second, to: caller, at: 0)
    #expect(throttle.takeTurn(of: caller, at: 0) == .now)
  }

  @Test func `no more than two seconds of requests wait`() {
    var throttle = LoopThrottle(Self.limits)
    for _ in 0..<50 { throttle.charge(2 * Self.millisecond, to: caller, at: 0) }
    throttle.charge(2 * Self.millisecond, to: caller, at: 0)
    var waiting = 0
    while case .after(let wait) = throttle.takeTurn(of: caller, at: 0) {
      #expect(wait <= 2 * Self.second)
      waiting += 1
    }
    #expect(waiting == 100)
  }

  /// Ten thousand debtors are remembered. Further callers are not, until a debt is paid.
  @Test func `memory is bounded`() {
    var throttle = LoopThrottle(Self.limits)
    for key in 0..<UInt64(20_000) { throttle.charge(Self.second / 10, to: Payer(.network, key: key), at: 0) }
    #expect(throttle.takeTurn(of: Payer(.network, key: 9_999), at: 0) != .now)
    #expect(throttle.takeTurn(of: Payer(.network, key: 10_000), at: 0) == .now)
    throttle.charge(Self.second / 10, to: Payer(.network, key: 10_000), at: 10 * Self.second)
    #expect(throttle.takeTurn(of: Payer(.network, key: 10_000), at: 10 * Self.second) != .now)
  }
}
