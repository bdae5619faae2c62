/// The same piece of SQL in the words of each engine.
struct DialectTexts: Sendable {
  private(set) var sqlite: String
  private(set) var postgreSQL: String

  /// Words that both engines understand.
  init(_ text: String) { self.init(sqlite: text, postgreSQL: text) }

  init(sqlite: String, postgreSQL: String) {
    self.sqlite = sqlite
    self.postgreSQL = postgreSQL
  }

  static func += (text: inout DialectTexts, other: DialectTexts) {
    text.sqlite += other.sqlite
    text.postgreSQL += other.postgreSQL
  }
}
