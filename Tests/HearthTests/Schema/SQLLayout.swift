/// Lays out statements of `sqlite_schema`, which SQLite keeps as they were written, and with added columns at the end
/// of the last line.
enum SQLLayout {
  static func text(_ sql: String) -> String {
    sql.hasPrefix("CREATE TABLE") ? table(sql) : unindented(sql)
  }

  /// Each column and constraint of a table on a line of its own, below its comments.
  private static func table(_ sql: String) -> String {
    var items: [String] = [""]
    var depth = 0
    var head = ""
    var rest = sql[...]
    while let character = rest.first {
      var taken = rest.prefix(1)
      if rest.hasPrefix("--") {
        taken = rest.prefix { $0 != "\n" } + "\n"
      } else if character == "'" || character == "\"" {
        taken = rest.prefix(1) + rest.dropFirst().prefix { $0 != character } + rest.prefix(1)
      }
      rest = rest.dropFirst(taken.count)
      if character == ")" { depth -= 1 }
      if depth == 0 {
        guard character != ")" else { break }
        head += taken
      } else if depth == 1, character == "," {
        // A comment behind the comma is about the column before it.
        let comment = rest.prefix { $0 != "\n" }.drop { $0 == " " }
        if comment.hasPrefix("--") {
          items[items.count - 1] = "\(comment)\n\(items[items.count - 1])"
          rest = rest.drop { $0 != "\n" }
        }
        items.append("")
      } else {
        items[items.count - 1] += taken
      }
      if character == "(" { depth += 1 }
    }
    let lines = items.map { item in
      let parts = item.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        .filter { !$0.isEmpty }
      let comments = parts.filter { $0.hasPrefix("--") }.map { "  \($0)\n" }.joined()
      return comments + "  " + parts.filter { !$0.hasPrefix("--") }.joined(separator: " ")
    }
    return "\(head)\n\(lines.joined(separator: ",\n"))\n)\(rest)"
  }

  /// Without the indentation that it has in the source of its migration.
  private static func unindented(_ sql: String) -> String {
    let lines = sql.split(separator: "\n", omittingEmptySubsequences: false)
    let indentation = lines.dropFirst().filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return (lines.prefix(1) + lines.dropFirst().map { $0.dropFirst(indentation) }).joined(separator: "\n")
  }
}
