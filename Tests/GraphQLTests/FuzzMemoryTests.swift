import Foundation
import Testing

@testable import GraphQL

/// Processing random documents does not leak memory: the same documents use no more memory in the tenth round than in
/// the fifth.
@Suite("Memory of fuzz tests")
struct FuzzMemoryTests {
  /// Runs in a separate process, in which nothing else allocates memory.
  @Test func `does not grow`() async {
    await #expect(processExitsWith: .success) {
      let schema = try Zoo.executable().schema
      let documents = Self.documents
      let entries: [(name: String, run: ([UInt8]) -> Void)] = [
        ("lexer", { bytes in _ = try? LexerTests.tokens(bytes) }),
        ("parser", { bytes in _ = try? Parser.parse(Source(bytes)) }),
        (
          "validator",
          { bytes in
            guard let document = try? Parser.parse(Source(bytes)) else { return }
            _ = Validator.validate(document, against: schema)
          }
        ),
      ]
      for entry in entries {
        let rounds = { for _ in 0..<5 { documents.forEach(entry.run) } }
        rounds()
        let before = try Self.residentBytes()
        rounds()
        let growth = try Self.residentBytes() - before
        #expect(growth < Self.maximumGrowth, "The \(entry.name) holds \(growth) bytes more.")
      }
    }
  }

  /// The memory that the allocator itself may still use: some hundred bytes for each document of the rounds.
  private static let maximumGrowth = 512 << 10

  private static var documents: [[UInt8]] {
    var generator = DocumentGenerator(seed: 99)
    return (0..<400).map { round in
      let text = Array(generator.document(descriptions: true).utf8)
      return round % 3 == 0 ? text : generator.mutate(text)
    }
  }

  private static func residentBytes() throws -> Int {
    let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    return Int(try #require(fields.dropFirst().first.flatMap { Int($0) })) * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}
