import Storage
import Testing

@testable import Hearth

@Suite("Rate limits")
struct RateLimitTests {
  @Test func `a burst is free, and one more each interval`() {
    let limit = RateLimit(burst: 3, interval: 1000)
    var arrival: Int64 = 0
    var now: Int64 = 1_000_000
    for _ in 0..<3 {
      #expect(limit.wait(&arrival, at: now) == 0)
      limit.take(&arrival, at: now)
    }
    #expect(limit.wait(&arrival, at: now) == 1000)
    now += 400
    #expect(limit.wait(&arrival, at: now) == 600)
    now += 600
    #expect(limit.wait(&arrival, at: now) == 0)
    limit.take(&arrival, at: now)
    #expect(limit.wait(&arrival, at: now) == 1000)
    limit.giveBack(&arrival)
    #expect(limit.wait(&arrival, at: now) == 0)
    // However far the clock is set back, no wait is longer than the time of one token.
    limit.take(&arrival, at: now)
    #expect(limit.wait(&arrival, at: now - 60_000) == 1000)
    #expect(limit.wait(&arrival, at: now - 59_000) == 0)
    // A larger step fills the bucket.
    #expect(limit.wait(&arrival, for: 3, at: 0) == 0)
  }

  @Test func `a clock that is set back by a minute empties budgets, and they fill again`() {
    let limiter = RateSketch(RateLimit(burst: 2, interval: 1000))
    #expect(limiter.take("a", at: 7_200_000) == nil)
    #expect(limiter.take("a", at: 7_140_000) == 1000)
    #expect(limiter.take("a", at: 7_141_000) == nil)
    #expect(limiter.take("a", at: 7_141_000) == 1000)
  }

  @Test func `a clock that is set back by hours fills budgets once`() {
    let limiter = RateSketch(RateLimit(burst: 2, interval: 1000))
    #expect(limiter.take("a", at: 7_200_000) == nil)
    for _ in 0..<2 { #expect(limiter.take("a", at: 0) == nil) }
    #expect(limiter.take("a", at: 0) == 1000)
  }

  @Test func `any number of names use constant memory, and do not interfere`() {
    let limiter = RateSketch(RateLimit(burst: 5, every: .seconds(60)))
    // Hashes differ from run to run. In 2 % of the runs, one of these names collides with others in both rows.
    let disturbed = (0..<100).count { number in
      (0..<5).contains { _ in limiter.take("name \(number)", at: 1_000_000) != nil }
    }
    #expect(disturbed < 4)
    for number in 0..<100 { #expect(limiter.take("name \(number)", at: 1_000_000) != nil) }
    // Few unused names collide with these in both rows.
    let rejected = (0..<1_000).count { limiter.take("other \($0)", at: 1_000_000) != nil }
    #expect(rejected < 20)
  }

  @Test func `tokens that are returned to one name are not those of another`() {
    let limiter = RateSketch(RateLimit(burst: 5, interval: 1000), width: 64)
    for _ in 0..<5 { #expect(limiter.take("empty", at: Self.now) == nil) }
    // About thirty of these share one cell with the empty one.
    for number in 0..<1_000 where limiter.take("name \(number)", at: Self.now) == nil {
      limiter.giveBack("name \(number)", at: Self.now)
      #expect(limiter.take("empty", at: Self.now) == 1000, "\(number)")
    }
  }

  @Test func `a name that has consumed everything gets its tokens back`() {
    let limiter = RateSketch(RateLimit(burst: 5, interval: 1000))
    for _ in 0..<5 { #expect(limiter.take("a", at: Self.now) == nil) }
    limiter.giveBack("a", count: 5, at: Self.now + 10)
    for _ in 0..<5 { #expect(limiter.take("a", at: Self.now + 10) == nil) }
    #expect(limiter.take("a", at: Self.now + 10) != nil)
  }

  @Test func `several tokens return to cells that others have used in part`() {
    let limiter = RateSketch(RateLimit(burst: 5, interval: 1000), width: 8)
    #expect(limiter.take("a", at: Self.now) == nil)
    // Some of these share one cell with the first.
    for number in 0..<100 {
      #expect(limiter.take("name \(number)", count: 3, at: Self.now) == nil)
      limiter.giveBack("name \(number)", count: 3, at: Self.now)
    }
    #expect(limiter.take("a", count: 4, at: Self.now) == nil)
  }

  private static let now: Int64 = 1_000_000_000

  @Test func `one network, and one site, may do a small part of what all may`() throws {
    for action in LimitedAction.allCases {
      let limits = action.limits
      guard limits.network != nil, let total = limits.total else {
        // Without a total, nothing is consumed that all callers share.
        #expect(limits.total == nil && limits.subject != nil, "\(action)")
        continue
      }
      let site = try #require(limits.limit(of: .site))
      #expect(site.burst * 3 <= total.burst, "\(action)")
      #expect(total.interval * 3 <= site.interval, "\(action)")
    }
  }

  @Test func `what a later budget does not have is returned to the earlier ones`() throws {
    let limits = RateLimits()
    let network = ClientNetwork("192.0.2.1")
    let mailbox = LimitedSubject.mailbox("ada@example.com")
    let caller = RateLimits.Caller(network: network, subject: mailbox)
    let action = LimitedAction.verificationMail
    let (own, all) = (try #require(action.limits.subject), try #require(action.limits.network))
    for _ in 0..<own.burst { #expect(limits.take(action, by: caller, at: Self.now) == nil) }
    for _ in 0..<1_000 { #expect(limits.take(action, by: caller, at: Self.now) == own.interval) }
    // Only the network's tokens were consumed.
    for number in own.burst..<all.burst {
      let other = RateLimits.Caller(network: network, subject: .mailbox("\(number)@example.com"))
      #expect(limits.take(action, by: other, at: Self.now) == nil)
    }
    let last = RateLimits.Caller(network: network, subject: .mailbox("last@example.com"))
    #expect(limits.take(action, by: last, at: Self.now) == all.interval)
    limits.giveBack(action, by: caller, at: Self.now)
    #expect(limits.take(action, by: last, at: Self.now) == nil)
  }

  @Test func `a network cannot fill the budgets of pairs of contacts`() throws {
    let limits = RateLimits()
    let burst = try #require(LimitedAction.shareWithAnyone.limits.network).burst
    let network = ClientNetwork("192.0.2.1")
    for number in 0..<burst {
      let caller = RateLimits.Caller(network: network, subject: .person(GlobalID(rawValue: 64 * number)))
      #expect(limits.take(.shareWithAnyone, by: caller, at: Self.now) == nil)
    }
    let next = LimitedSubject.person(GlobalID(rawValue: 64 * burst))
    #expect(limits.take(.shareWithAnyone, by: .init(network: network, subject: next), at: Self.now) != nil)
    let other = ClientNetwork("192.0.2.2")
    #expect(limits.take(.shareWithAnyone, by: .init(network: other, subject: next), at: Self.now) == nil)
  }

  @Test func `a network that has nothing left leaves subjects and the total alone`() throws {
    let limits = RateLimits()
    let burst = try #require(LimitedAction.registration.limits.network).burst
    for attempt in 0..<5_000 {
      let wait = limits.take(.registration, by: .init(network: ClientNetwork("192.0.2.1")), at: Self.now)
      #expect((wait == nil) == (attempt < burst))
    }
    #expect(limits.take(.registration, by: .init(network: ClientNetwork("192.0.2.2")), at: Self.now) == nil)
    #expect(limits.take(.registration, by: .init(), at: Self.now) == nil)
  }

  @Test func `the networks of a site share an allowance, and other sites are not touched`() throws {
    let limits = RateLimits()
    let burst = try #require(LimitedAction.registration.limits.network).burst
    var allowed: Int64 = 0
    for network in 0..<1_000 {
      let caller = RateLimits.Caller(network: ClientNetwork("2001:db8:7:\(String(network, radix: 16))::1"))
      if limits.take(.registration, by: caller, at: Self.now) == nil { allowed += 1 }
    }
    #expect(allowed == burst * ActionLimits.siteFactor)
    #expect(limits.take(.registration, by: .init(network: ClientNetwork("2001:db8:8::1")), at: Self.now) == nil)
  }

  @Test func `callers without a network are counted together`() throws {
    let limits = RateLimits()
    let total = try #require(LimitedAction.registration.limits.total)
    for _ in 0..<total.burst { #expect(limits.take(.registration, by: .init(), at: Self.now) == nil) }
    #expect(limits.take(.registration, by: .init(), at: Self.now) == total.interval)
  }

  /// PostgreSQL runs a write again that was rolled back because of another one.
  @Test func `a write that is rolled back consumes nothing`() async throws {
    struct RolledBack: Error {}
    try await TestServer.run { server in
      let limits = RateLimits()
      let burst = try #require(LimitedAction.verificationMail.limits.subject).burst
      func wait(isRolledBack: Bool) async throws -> Int64? {
        try await server.services.database.write { transaction in
          let caller = RateLimits.Caller(subject: .mailbox("ada@example.com"))
          let write = DatedWrite(at: Timestamp(Self.now), in: transaction)
          let wait = try limits.takeShared(.verificationMail, by: caller, in: write)
          if isRolledBack { throw RolledBack() }
          return wait
        }
      }
      for _ in 0...burst {
        await #expect(throws: RolledBack.self) { try await wait(isRolledBack: true) }
      }
      for _ in 0..<burst { #expect(try await wait(isRolledBack: false) == nil) }
      #expect(try await wait(isRolledBack: false) != nil)
    }
  }

  @Test(arguments: [
    ("ada@example.com", "ada@example.com"), ("Ada+Hearth@Example.com", "ada@example.com"),
    ("ada+1+2@example.com", "ada@example.com"), ("+ada@example.com", "+ada@example.com"),
    ("a+@example.com", "a@example.com"), ("Ada.L@example.com", "adal@example.com"),
    ("a.d.a+1.2@gmail.com", "ada@gmail.com"), ("ada@GoogleMail.com", "ada@gmail.com"),
    ("jose\u{301}@example.com", "jos\u{E9}@example.com"),
  ])
  func `addresses that differ by a tag or by dots alone are one mailbox`(text: String, key: String) throws {
    let address = try #require(EmailAddress(text))
    // Swift's strings are equal in any normalization, their bytes are not.
    #expect(address.mailboxKey.utf8.elementsEqual(key.utf8))
    // Not one account.
    #expect(address.key == text.lowercased())
  }

  @Test(
    arguments: [
      ("127.0.0.1", nil, nil, "by account and in total"), ("::1", nil, nil, "by account and in total"),
      ("127.0.0.1", nil, "x-forwarded-for", nil), ("0.0.0.0", nil, nil, nil),
      ("0.0.0.0", "https://hearth.example.com", nil, "as the proxy's network"),
      ("0.0.0.0", "https://hearth.example.com", "x-forwarded-for", nil),
    ] as [(String, String?, String?, String?)]
  )
  func `the server says when it cannot distinguish networks`(
    host: String,
    publicURL: String?,
    header: String?,
    notice: String?
  ) throws {
    var options = ServerOptions()
    options.host = host
    options.configuration.publicURL = publicURL
    options.configuration.clientAddressHeader = header
    let text = Server.networkNotice(options)
    #expect((text == nil) == (notice == nil))
    if let notice { #expect(try #require(text).contains(notice)) }
  }
}
