import Foundation
import Testing

/// Replays the corpora, in which every finding of the fuzzer is kept, without sanitizers and mutation. `Scripts/fuzz`
/// mutates them.
@Suite("Fuzz targets")
struct CorpusTests {
  @Test(arguments: FuzzTarget.allCases)
  func `the properties hold for every input of the corpus`(target: FuzzTarget) async throws {
    let inputs = try Self.inputs(of: target)
    try #require(inputs.count >= 10, "The corpus of \(target) has \(inputs.count) inputs.")
    var accepted = 0
    for (name, input) in inputs {
      do {
        let isAccepted = try target.check(input)
        if try await target.checkAsynchronously(input) || isAccepted { accepted += 1 }
      } catch {
        Issue.record("\(target.rawValue)/\(name): \(error)")
      }
    }
    // A corpus whose inputs are all rejected at once would test nothing.
    #expect(accepted >= 3 && accepted < inputs.count, "\(accepted) of \(inputs.count) inputs are accepted.")
  }

  /// Access tokens verify with the id of a session, or with its key, as they had it before ids were encrypted.
  @Test func `tokens that verify are in the corpus`() async throws {
    let inputs = try Self.inputs(of: .tokens)
    for name in ["access-encrypted-id", "access"] {
      let token = try #require(inputs.first { $0.name == name }?.bytes)
      #expect(try await AccessTokenTarget.check(token), "\(name)")
    }
    let issued = Array(try await AccessTokenTarget.issued().utf8)
    #expect(try await AccessTokenTarget.check(issued))
  }

  @Test func `a broken property is reported`() {
    #expect(throws: BrokenProperty.self) { try require(false, "reported") }
  }

  static func inputs(of target: FuzzTarget) throws -> [(name: String, bytes: [UInt8])] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Corpus/\(target.rawValue)")
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
      .map { ($0.lastPathComponent, Array(try Data(contentsOf: $0))) }
  }
}
