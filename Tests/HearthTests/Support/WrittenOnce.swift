import Storage
import Synchronization

/// Statements of tests without parameters, each made once: a process can have `StatementText.limit` of them.
enum WrittenOnce {
  private static let known = Mutex<[String: StatementText]>([:])

  static func sql(_ text: String) -> StatementText {
    known.withLock { known in
      if let sql = known[text] { return sql }
      let sql = StatementText(text)
      known[text] = sql
      return sql
    }
  }
}
