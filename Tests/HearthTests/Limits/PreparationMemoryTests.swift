import Foundation
import GraphQL
import TestSupport
import Testing

@testable import Hearth

/// The peak of the memory that a document takes while it is parsed, validated and planned. `Documentation/operating.md`
/// states its limit.
@Suite("Memory of a document that is being prepared")
struct PreparationMemoryTests {
  private static let limit = 16 << 20

  /// Runs in a separate process, in which nothing else allocates memory.
  @Test(.timeLimit(.minutes(10))) func `stays below the documented limit`() async {
    await #expect(processExitsWith: .success) {
      let executable = try HearthSchema.executable()
      let preparation = Preparation(executable)
      var most = 0
      for document in LargeDocument.all(for: executable.schema) {
        let text = Array(document.text.utf8)
        let before = try ProcessMemory.reset()
        Self.prepare(text, with: preparation)
        let grown = try ProcessMemory.peak() - before
        #expect(grown < Self.limit, "\(document.name): \(grown >> 10) KiB")
        most = max(most, grown)
      }
      #expect(most > Self.limit / 4, "The documents are too small: \(most >> 10) KiB")
    }
  }

  /// Prepares a document as if it were new, with and without incremental delivery. Some exceed a limit.
  private static func prepare(_ text: [UInt8], with preparation: Preparation) {
    guard let operation = try? preparation.prepare(text, operationName: nil) else { return }
    for isIncremental in [false, true] {
      _ = try? operation.plan(for: .none, isIncremental: isIncremental)
    }
  }
}
