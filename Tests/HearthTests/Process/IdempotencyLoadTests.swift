import Foundation
import Glibc
import TestSupport
import Testing

/// Whole, with 1,000 mutations:
///
///     HEARTH_LOAD=whole swift test --filter IdempotencyLoadTests
@Suite("Mutations that are sent twice", .timeLimit(.minutes(20)))
struct IdempotencyLoadTests {
  private static let streams = 8

  private static let databases: [TestDatabase] = PostgreSQLCluster.isInstalled ? [.sqlite, .postgresql] : [.sqlite]

  @Test(arguments: databases)
  func `are applied once, although responses are lost and the server is killed`(database: TestDatabase) async throws {
    var environment: [String: String] = [:]
    if database == .postgresql {
      let cluster = try await PostgreSQLCluster.shared()
      environment["HEARTH_DATABASE_URL"] = cluster.url(of: try await cluster.makeDatabase())
      environment["HEARTH_DATABASE_UNSAFE"] = "yes"
    }
    let count = TestOptions.isLoadWhole ? 1_000 : 120
    let directory = try TemporaryDirectory()
    var server = try Program.serve(directory, environment: environment)
    let ada = try await Household(port: server.port())
    var open = Set(0..<count)
    // Each round ends with a kill. In the last one everything is sent again, and nothing is lost.
    for round in 0..<4 {
      let port = try await server.port()
      let sent = round == 3 ? Set(0..<count) : open
      let answered = Counter()
      let streams = (0..<Self.streams).map { stream in
        Task {
          let own = sent.filter { $0 % Self.streams == stream }.sorted()
          return await Self.send(own, to: port, ada.parent.token, losesSome: round < 3, answered)
        }
      }
      if round < 3 {
        await answered.wait(for: sent.count / 3)
        server.signal(SIGKILL)
      }
      for stream in streams { open.subtract(await stream.value) }
      if round < 3 {
        #expect(try await server.result().wasKilled)
        server = try Program.serve(directory, environment: environment)
      }
    }
    #expect(open.isEmpty)
    let parent = Client(port: try await server.port(), token: ada.parent.token)
    #expect(try await parent.itemNames().sorted() == (0..<count).map { "Item \($0)" }.sorted())
    server.signal(SIGTERM)
    #expect(try await server.result().status == 0)
  }

  /// Sends the mutations until the server ends. Returns those with a response.
  private static func send(
    _ numbers: [Int],
    to port: Int,
    _ token: String?,
    losesSome: Bool,
    _ answered: Counter
  ) async -> [Int] {
    let client = HTTPClient(port: port)
    var done: [Int] = []
    for number in numbers {
      let body =
        #"{"query":"mutation { addItem(input: {name: \"Item \#(number)\"}) { item { name } } }"}"#
      let headers = [
        ("Authorization", "Bearer \(token ?? "")"), ("Content-Type", "application/json"),
        ("Idempotency-Key", "key-\(number)"), ("Content-Length", "\(body.utf8.count)"),
      ]
      if losesSome, Int.random(in: 0..<3) == 0 {
        // Without waiting for the response.
        let head = "POST /graphql HTTP/1.1\r\nHost: test\r\n" + headers.map { "\($0): \($1)\r\n" }.joined() + "\r\n"
        _ = try? await TestThread { try TestSocket(port: port).send(head + body) }.value
        answered.increment()
        continue
      }
      repeat {
        guard let answer = try? await client.post(body, contentType: nil, headers: Array(headers.prefix(3))) else {
          return done
        }
        if answer.codes == ["IDEMPOTENT_REQUEST_RUNNING"] {
          await Task.yield()
          continue
        }
        let isDone = answer.json["data.addItem.item.name"] == .string("Item \(number)")
        #expect(isDone, "\(answer.text)")
        if isDone { done.append(number) }
        answered.increment()
        break
      } while true
    }
    return done
  }
}
