/// The text of a statement with parameters `$1`, `$2`, …
///
/// A class, because a copy of its members would retain each of them.
package final class ServerStatement: Sendable {
  package let text: String
  /// The types of the parameters, so that the server need not infer them from the text.
  package let types: [ServerType]
  /// The index of the prepared statement in every connection, consecutive from 0, or negative for `Control`. Nil: the
  /// statement is parsed each time.
  package let slot: Int?

  package init(_ text: String, types: [ServerType] = [], slot: Int? = nil) {
    self.text = text
    self.types = types
    self.slot = slot
  }
}

extension ServerStatement {
  /// The statements that begin and end transactions. They are prepared too: parsing them took a tenth of the server's
  /// time for a dashboard. Their names in the protocol are these.
  private enum Control: Int, CaseIterable {
    case begin = 1, snapshot, commit, rollback, savepoint, undo, release, token, numbers

    /// The first word is that of the statement, so that it can be recognized in the protocol.
    var name: String {
      switch self {
      case .begin: "BEGIN"
      case .snapshot: "BEGIN snapshot"
      case .commit: "COMMIT"
      case .rollback: "ROLLBACK"
      case .savepoint: "SAVEPOINT"
      case .undo: "ROLLBACK TO"
      case .release: "RELEASE"
      case .token: "token"
      case .numbers: "numbers"
      }
    }
  }

  private convenience init(_ control: Control, text: String, types: [ServerType] = []) {
    self.init(text, types: types, slot: -control.rawValue)
  }

  static let begin = ServerStatement(.begin, text: "BEGIN ISOLATION LEVEL SERIALIZABLE")
  /// One snapshot for all statements.
  package static let beginSnapshot = ServerStatement(.snapshot, text: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
  /// Also ends a transaction that has failed.
  package static let commit = ServerStatement(.commit, text: "COMMIT")
  static let rollback = ServerStatement(.rollback, text: "ROLLBACK")
  static let savepoint = ServerStatement(.savepoint, text: "SAVEPOINT part")
  static let rollbackToSavepoint = ServerStatement(.undo, text: "ROLLBACK TO part")
  static let release = ServerStatement(.release, text: "RELEASE part")
  static let insertToken = ServerStatement(
    .token,
    text: "INSERT INTO commit_token (token) VALUES ($1)",
    types: [.bytea]
  )

  static let takeNumbers = ServerStatement(.numbers, text: "SELECT nextval('key_block')")

  /// The name of the prepared statement of a slot.
  static func name(ofSlot slot: Int) -> String { Control(rawValue: -slot)?.name ?? "h\(slot)" }

  /// The index of a slot in an array.
  static func index(ofSlot slot: Int) -> Int { slot < 0 ? -slot - 1 : slot + Control.allCases.count }
}
