import GraphQL
import Storage

extension RequestContext {
  package func forgetAnswers() { currentReader.forgetAnswers() }

  /// Reads before a write, or in other asynchronous work. `body` is called again if its statements are not answered at
  /// once, so it must have no effect.
  func read<Value>(_ body: (Reader) throws -> Value) async throws -> Value {
    // Statements that are answered later keep a snapshot, which nothing needs any more.
    defer { if !answersAtOnce { currentReader.endRead() } }
    return try await inPasses { try body(reader) }
  }

  // MARK: Passes

  /// What a pass can change, and must not keep if it is repeated.
  struct PassMark {
    let pages: Int
    let searches: Int
    let knownToday: String?
  }

  package func beginPass() {
    passMark = makePassMark()
    currentReader.beginPass()
  }

  package func endPass() -> Bool {
    guard currentReader.endPass() else { return false }
    if let passMark { undo(to: passMark) }
    return true
  }

  package func askAhead(_ body: () -> Void) {
    let mark = makePassMark()
    currentReader.askAhead(body)
    undo(to: mark)
  }

  private func makePassMark() -> PassMark {
    PassMark(pages: pages.count, searches: searches, knownToday: knownToday)
  }

  private func undo(to mark: PassMark) {
    pages.removeSubrange(mark.pages...)
    searches = mark.searches
    knownToday = mark.knownToday
  }
}
