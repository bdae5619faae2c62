/// A table whose rows are divided by the value of one column into partitions, such as the rows of each family.
///
/// The versions of data (`DataVersion`) tell the changes of a partition from those of the others. A reader knows that a
/// statement reads only one partition if it names the table like this:
///
/// ```swift
/// "SELECT c.name FROM \(rows: chores, of: \.family) AS c WHERE c.id = \(\.chore)"
/// ```
package struct PartitionedTable: Hashable, Sendable {
  package let name: String
  /// Of integers, without NULL.
  package let column: String

  package init(_ name: String, by column: String) {
    self.name = name
    self.column = column
  }
}

/// A value that is one `Int64` in memory and in its column.
@usableFromInline package protocol PartitionKey: SQLValue {}

extension Int64: PartitionKey {}

extension SQLFragment.StringInterpolation {
  /// The rows of one partition, as a table that needs an alias. SQLite makes the same program of it as of the table
  /// with the condition on its column.
  ///
  /// - Parameter index: the rows are found by that index only: see `appendInterpolation(index:)`.
  package mutating func appendInterpolation<Key: PartitionKey>(
    rows table: PartitionedTable,
    of partition: KeyPath<Parameters, Key>,
    index: String? = nil
  ) {
    precondition(MemoryLayout<Key>.size == MemoryLayout<Int64>.size, "\(Key.self) is not one Int64 in memory.")
    append(BoundParameter(partition), name: partition, in: .partition(table, index: index))
  }
}

/// A partition that a statement reads, and the tables of which it reads nothing else.
struct StatementPartition: Sendable {
  let tables: [PartitionedTable]
  /// Of the parameter that is the partition's key.
  let number: Int

  /// Those of family and viewer.
  static let maximumCount = 2

  /// The partitions of a statement. What it reads beyond them, it reads of whole tables.
  ///
  /// - Parameters:
  ///   - named: the tables that are named with a partition, and the numbers of the parameters.
  ///   - rest: the rest of the statement. What it names is also read as a whole.
  static func all(_ named: [(table: PartitionedTable, number: Int)], rest: String) -> [StatementPartition] {
    guard !named.isEmpty else { return [] }
    let others = namedTables(in: rest)
    var partitions: [StatementPartition] = []
    for number in Set(named.map(\.number)).sorted() {
      let tables = Set(named.filter { $0.number == number }.map(\.table)).filter { table in
        let name = table.name.lowercased()
        // Those of which another partition is read, by the same column or another, are read as a whole.
        let isOnly = named.allSatisfy { $0.table.name.lowercased() != name || ($0.table, $0.number) == (table, number) }
        return isOnly && !others.contains(name)
      }
      if !tables.isEmpty { partitions.append(StatementPartition(tables: Array(tables), number: number)) }
    }
    return Array(partitions.prefix(maximumCount))
  }

  /// All words that can be the name of a table: also those that are not, but not the qualifiers of columns and the
  /// aliases.
  private static func namedTables(in text: String) -> Set<String> {
    var names: Set<String> = []
    var previous = ""
    var rest = text.lowercased()[...]
    while let start = rest.firstIndex(where: isPartOfWord) {
      let word = rest[start...].prefix(while: isPartOfWord)
      if rest[word.endIndex...].first != ".", previous != "as" { names.insert(String(word)) }
      previous = String(word)
      rest = rest[word.endIndex...]
    }
    return names
  }

  private static func isPartOfWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }
}
