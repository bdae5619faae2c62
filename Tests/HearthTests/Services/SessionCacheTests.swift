import Glibc
import GraphQLTransport
import Testing

@testable import Hearth

@Suite("The tokens that a loop remembers")
struct SessionCacheTests {
  private static func token(_ number: Int64) -> ArraySlice<UInt8> { Array("token of session \(number)".utf8)[...] }

  private static func viewer(_ number: Int64, family: Int64 = 1) -> Viewer {
    Viewer(
      session: GlobalID(.session, number: number),
      member: GlobalID(.person, number: number),
      family: GlobalID(.family, number: family)
    )
  }

  @Test func `an ended session is forgotten with all of its tokens, and no other session`() async throws {
    try await TestServer.run { server in
      let (services, ended) = (server.services, server.services.endedSessions)
      var cache = SessionCache()
      // 11 to 13 are further tokens of the first session, one of which two requests have verified.
      for number: Int64 in [1, 11, 12, 13, 13, 2] {
        let viewer = Self.viewer(number == 2 ? 2 : 1)
        _ = cache.admit(viewer, token: Self.token(number), expiresAt: 1, since: ended.currentCount, of: ended)
      }
      for number: Int64 in [1, 11, 12, 13, 2] {
        let known = cache.admission(for: Self.token(number), at: 0, services)
        #expect(known?.viewer == Self.viewer(number == 2 ? 2 : 1))
      }
      ended.note([GlobalID(.session, number: 3), GlobalID(.session, number: 1)], change: .ended)
      for number: Int64 in [1, 11, 12, 13, 2] {
        let known = cache.admission(for: Self.token(number), at: 0, services)
        #expect(known?.viewer == (number == 2 ? Self.viewer(2) : nil))
      }
    }
  }

  @Test func `a moved session is forgotten at each move, and remembered again after it`() async throws {
    try await TestServer.run { server in
      let (services, ended) = (server.services, server.services.endedSessions)
      var cache = SessionCache()
      for family: Int64 in 1...3 {
        let viewer = Self.viewer(1, family: family)
        _ = cache.admit(viewer, token: Self.token(1), expiresAt: 1, since: ended.currentCount, of: ended)
        for _ in 0..<2 {
          let known = cache.admission(for: Self.token(1), at: 0, services)
          #expect(known?.viewer == viewer)
        }
        ended.note([viewer.session], change: .rightsChanged)
        let moved = cache.admission(for: Self.token(1), at: 0, services)
        #expect(moved == nil)
      }
    }
  }

  @Test func `the end of a session does not visit the tokens of others`() async throws {
    try await TestServer.run { server in
      let (few, many) = (Self.time(of: server.services, tokens: 100), Self.time(of: server.services, tokens: 10_000))
      #expect(many < 10 * few, "\(many) ms instead of \(few) ms")
    }
  }

  /// The milliseconds in which a loop that remembers so many tokens notes 100 sessions that end one after the other.
  /// The shortest of five times.
  private static func time(of services: Services, tokens: Int64) -> Double {
    let ended = services.endedSessions
    var cache = SessionCache()
    for number in 0..<tokens {
      _ = cache.admit(viewer(number), token: token(number), expiresAt: 1, since: ended.currentCount, of: ended)
    }
    var others = tokens
    return (0..<5).map { _ in
      let start = processorTime()
      for _ in 0..<100 {
        others += 1
        ended.note([GlobalID(.session, number: others)], change: .ended)
        _ = cache.admission(for: token(1), at: 0, services)
      }
      return processorTime() - start
    }.min() ?? 0
  }

  /// The processor time used by this thread, in milliseconds.
  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
  }
}
