import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Hearth

/// Clients add items, each with a name of its own, while something is killed. Every acknowledged item must be there
/// afterwards, and none twice.
@Suite(
  "Writes to PostgreSQL while something is killed",
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL."),
  .timeLimit(.minutes(20))
)
struct PostgreSQLDurabilityTests {
  private static let streams = 8

  /// Clients that add items until `end` is called.
  private final class Load: Sendable {
    let acknowledged = Counter()
    private let names = Mutex<Set<String>>([])
    private let isOver = Atomic<Bool>(false)
    private let streams = Mutex<[Task<Void, Never>]>([])

    init(_ parent: Client, _ label: String) {
      for stream in 0..<PostgreSQLDurabilityTests.streams {
        let parent = parent.another
        let task = Task {
          for number in 0... {
            if isOver.load(ordering: .relaxed) { break }
            let name = "\(label).\(stream).\(number)"
            // A write that fails is not repeated: it may be stored or not, but not twice.
            let outcome = try? await parent.perform(Documents.addItem, ["input": ["name": .string(name)]])
            guard outcome?["item.name"] == .string(name) else { continue }
            _ = names.withLock { $0.insert(name) }
            acknowledged.increment()
          }
        }
        streams.withLock { $0.append(task) }
      }
    }

    /// Returns once some more items have been acknowledged.
    func more(_ count: Int) async { await acknowledged.wait(for: acknowledged.count + count) }

    /// The names of all acknowledged items.
    func end() async -> Set<String> {
      isOver.store(true, ordering: .relaxed)
      for stream in streams.withLock({ $0 }) { await stream.value }
      return names.withLock { $0 }
    }
  }

  private static func check(_ known: Set<String>, _ parent: Client) async throws {
    let stored = try await parent.itemNames()
    #expect(known.subtracting(stored) == [])
    #expect(Set(stored).count == stored.count)
  }

  @Test func `a killed Hearth has stored every acknowledged item`() async throws {
    let cluster = try await PostgreSQLCluster.shared()
    let environment = [
      "HEARTH_DATABASE_URL": cluster.url(of: try await cluster.makeDatabase()), "HEARTH_DATABASE_UNSAFE": "yes",
    ]
    let directory = try TemporaryDirectory()
    var server = try Program.serve(directory, environment: environment)
    let ada = try await Household(port: server.port())
    var known: Set<String> = []
    for round in 0..<3 {
      let parent = Client(port: try await server.port(), token: ada.parent.token)
      let load = Load(parent, "\(round)")
      await load.more(1 + 100 * round)
      server.signal(SIGKILL)
      #expect(try await server.result().wasKilled)
      known.formUnion(await load.end())
      server = try Program.serve(directory, environment: environment)
    }
    try await Self.check(known, Client(port: try await server.port(), token: ada.parent.token))
    server.signal(SIGTERM)
    #expect(try await server.result().status == 0)
  }

  @Test func `a killed backend, and a killed primary whose standby takes over, lose and repeat nothing`() async throws {
    let cluster = try await ReplicatedCluster.start()
    let directory = try TemporaryDirectory()
    let server = try Program.serve(directory, environment: ["HEARTH_DATABASE_URL": cluster.url])
    let ada = try await Household(port: server.port())
    let load = Load(ada.parent, "item")
    for _ in 0..<4 {
      await load.more(50)
      try await cluster.killBackend()
    }
    await load.more(50)
    try await cluster.failOver()
    await load.more(50)
    let known = await load.end()
    try await Self.check(known, Client(port: try await server.port(), token: ada.parent.token))
    server.signal(SIGTERM)
    #expect(try await server.result().status == 0)
    let check = try await Program.run("check", "--database", cluster.url)
    #expect(check.output == "The data is sound.\n", "\(check.errors)")
  }
}
