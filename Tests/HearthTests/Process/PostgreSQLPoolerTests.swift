import Foundation
import Glibc
import TestSupport
import Testing

@testable import Hearth

/// A server whose connections to PostgreSQL go through PgBouncer.
@Suite(
  "hearth serve behind PgBouncer",
  .enabled(if: PgBouncer.isInstalled, "PgBouncer is not installed: Debian's package is pgbouncer."),
  .timeLimit(.minutes(5))
)
struct PostgreSQLPoolerTests {
  @Test func `a pool of sessions serves reads and writes of two servers`() async throws {
    let cluster = try await PostgreSQLCluster.shared()
    let database = try await cluster.makeDatabase()
    let pooler = try await PgBouncer.start(.session, over: cluster)
    let environment = ["HEARTH_DATABASE_URL": pooler.url(of: database), "HEARTH_DATABASE_UNSAFE": "yes"]
    let directory = try TemporaryDirectory()
    let server = try Program.serve(directory, environment: environment)
    let household = try await Household(port: server.port())
    let names = (0..<20).map { "Item \($0)" }
    for name in names {
      let added = try await household.parent.perform(Documents.addItem, ["input": ["name": .string(name)]])
      #expect(added["item.name"] == .string(name))
    }
    #expect(try await household.parent.itemNames().sorted() == names.sorted())

    let second = try Program.serve(try TemporaryDirectory(), environment: environment)
    let atSecond = Client(port: try await second.port(), token: household.parent.token)
    #expect(try await atSecond.perform(Documents.addItem, ["input": ["name": "Last"]])["item.name"] == "Last")
    second.signal(SIGTERM)
    #expect(try await second.result().status == 0)

    server.signal(SIGTERM)
    #expect(try await server.result().status == 0)
    // PgBouncer hands the connections on once their sessions have been reset, and with them the lock.
    let next = try Program.serve(directory, environment: environment)
    let parent = Client(port: try await next.port(), token: household.parent.token)
    #expect(try await parent.itemNames().count == names.count + 1)
    next.signal(SIGTERM)
    #expect(try await next.result().status == 0)
  }
}
