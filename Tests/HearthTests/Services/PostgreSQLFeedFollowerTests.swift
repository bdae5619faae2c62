import Synchronization
import TestSupport
import Testing

@testable import Hearth
@testable import Storage

@Suite(
  "Following the events of other processes",
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL."),
  .timeLimit(.minutes(5))
)
struct PostgreSQLFeedFollowerTests {
  private final class Reads: Sendable {
    let pieces = Mutex(0)
    let piecesBeforeOther = Mutex<Int?>(nil)
  }

  @Test func `a family that stays behind does not delay what else is followed`() async throws {
    try await TestServer.run(loops: 1, database: .postgresql) { server in
      let (feed, pieces) = (server.services.feed, 20)
      let ada = try await Household(on: server)
      _ = try await ada.addItem()
      let live = try await Listener.open(server.port, ada.parent, "subscription { familyChanged { __typename } }")
      _ = try await live.listening()
      let family = try #require(server.services.cipher.key(of: ada.familyID))
      while feed.reading(all: true).first?.after == nil { await Task.yield() }
      let follower = try #require(server.services.follower)
      try await TestThread { follower.stop() }.value
      let (reads, otherIsRead) = (Reads(), Counter())
      // As if 512 more events were committed while 512 are read.
      feed.addTopic(FeedEvent.familyTopicName) { _, _, after, limit, _ in
        let count = reads.pieces.withLock { pieces in
          pieces += 1
          return pieces
        }
        if count == 1 {
          follower.receive([Database.Hint(kind: HintKind.endedSession.letter, key: 1, number: 1)])
        }
        return count > pieces ? [] : [(1...limit).map { (position: after + $0, publications: []) }]
      }
      let other = FollowedData(
        interval: { 3_600_000 },
        receivers: [.endedSession: { _ in true }],
        read: { _, _ in
          let count = reads.pieces.withLock { $0 }
          reads.piecesBeforeOther.withLock { $0 = $0 ?? count }
          otherIsRead.increment()
        }
      )
      let key = family.rawValue
      let position = try await server.services.database.write { transaction in
        let raise = "UPDATE family_feed SET position = position + 1000000 WHERE family_id = \(key)"
        try transaction.statement(WrittenOnce.sql(raise)).run()
        let read = "SELECT position FROM family_feed WHERE family_id = \(key)"
        return try transaction.statement(WrittenOnce.sql(read)).first { $0.int64(0) }
      }
      try follower.start([FeedFollower(feed, hints: .notify).followedData, other])
      #expect(feed.recordHint(try #require(position), of: key))
      follower.read(.family)
      await otherIsRead.wait(for: 1)
      let before = try #require(reads.piecesBeforeOther.withLock { $0 })
      #expect((1..<pieces).contains(before), "\(before)")
    }
  }
}
