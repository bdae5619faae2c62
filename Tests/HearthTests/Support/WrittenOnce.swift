import Storage
import Synchronization

/// Statements of tests, each made once: a process can have `StatementText.limit` of them.
enum WrittenOnce {
  private static let known = Mutex<[String: SQL<Positional>]>([:])

  static func sql(_ text: String) -> SQL<Positional> {
    known.withLock { known in
      if let sql = known[text] { return sql }
      let sql = SQL(text)
      known[text] = sql
      return sql
    }
  }
}
