import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Hearth

@Suite("A server that is killed", .timeLimit(.minutes(20)))
struct DurabilityTests {
  @Test(arguments: [1, 60, 300])
  func `has stored every acknowledged chore, and none partially`(answers: Int) async throws {
    let directory = try TemporaryDirectory()
    let server = try Program.serve(directory)
    let ada = try await Household(port: server.port())
    let mia = try await ada.addChild("Mia", username: "mia")
    let ben = try await ada.addChild("Ben")
    let answered = Counter()
    let streams = (0..<6).map { stream in
      let parent = ada.parent.another
      return Task { await Self.addChores("\(stream)", for: [mia, ben], parent, answered) }
    }
    await answered.wait(for: answers)
    server.signal(SIGKILL)
    var known: Set<String> = []
    for stream in streams { known.formUnion(await stream.value) }
    #expect(try await server.result().wasKilled)
    #expect(known.count >= answers)

    let check = try await Program.run("check", "--data", directory.path)
    #expect(check.status == 0, "\(check.output)")
    let again = try Program.serve(directory)
    let parent = Client(port: try await again.port(), token: ada.parent.token)
    var stored: [String] = []
    var after: Value = nil
    repeat {
      let page = try await parent.ask(
        """
        query ($after: String) { family { chores(first: 100, after: $after) {
          nodes { name assignees { id } } pageInfo { hasNextPage endCursor } } } }
        """,
        ["after": after]
      )["data.family.chores"]
      for chore in page["nodes"].list {
        stored.append(chore["name"].string ?? "")
        #expect(Set(chore["assignees"].each("id")) == [.string(mia), .string(ben)])
      }
      after = page["pageInfo.hasNextPage"] == true ? page["pageInfo.endCursor"] : nil
    } while after != .null
    #expect(known.subtracting(stored) == [])
    #expect(Set(stored).count == stored.count)
    let counts = try await parent.ask("{ family { children { assignedChores { totalCount } } } }")
    #expect(
      counts["data.family.children"].each("assignedChores.totalCount")
        == [.number(Double(stored.count)), .number(Double(stored.count))]
    )
    again.signal(SIGTERM)
    #expect(try await again.result().status == 0)
  }

  /// One after the other, until the server ends. Returns the names of the acknowledged ones.
  private static func addChores(
    _ stream: String,
    for children: [String],
    _ parent: Client,
    _ answered: Counter
  ) async -> [String] {
    var names: [String] = []
    for number in 0... {
      let name = "Chore \(stream).\(number)"
      let input: Value = ["name": .string(name), "assigneeIds": Value(children)]
      guard let outcome = try? await parent.perform(Documents.addChore, ["input": input]),
        outcome["chore.name"] == .string(name)
      else { break }
      names.append(name)
      answered.increment()
    }
    return names
  }

  @Test func `has stored the sign-outs`() async throws {
    let directory = try TemporaryDirectory()
    let server = try Program.serve(directory)
    let ada = try await Household(port: server.port())
    #expect(try await ada.parent.perform(Documents.signOut)["signedOut"] == true)
    server.signal(SIGKILL)
    _ = try await server.result()
    let again = try Program.serve(directory)
    let client = Client(port: try await again.port(), token: ada.parent.token)
    #expect(try await client.post(Documents.whoAmI).codes == ["TOKEN_REVOKED"])
    again.signal(SIGKILL)
    _ = try await again.result()
  }
}
