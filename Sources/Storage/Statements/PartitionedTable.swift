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
    let rest = Array(rest.lowercased().utf8)
    var partitions: [StatementPartition] = []
    for number in Set(named.map(\.number)).sorted() {
      let tables = Set(named.filter { $0.number == number }.map(\.table)).filter { table in
        let name = table.name.lowercased()
        // Those of which another partition is read, by the same column or another, are read as a whole.
        let isOnly = named.allSatisfy { $0.table.name.lowercased() != name || ($0.table, $0.number) == (table, number) }
        return isOnly && !isNamed(Array(name.utf8), in: rest)
      }
      if !tables.isEmpty { partitions.append(StatementPartition(tables: Array(tables), number: number)) }
    }
    return Array(partitions.prefix(maximumCount))
  }

  /// Whether a statement contains a word that can name the table: also one that does not, but not the qualifier of a
  /// column or an alias.
  private static func isNamed(_ table: [UInt8], in statement: [UInt8]) -> Bool {
    var followsAs = false
    var start = 0
    while start < statement.count {
      guard isPartOfWord(statement[start]) else {
        start += 1
        continue
      }
      let end = statement[start...].firstIndex { !isPartOfWord($0) } ?? statement.count
      let word = statement[start..<end]
      let isQualifier = end < statement.count && statement[end] == UInt8(ascii: ".")
      if word.elementsEqual(table), !isQualifier, !followsAs { return true }
      followsAs = word.elementsEqual("as".utf8)
      start = end
    }
    return false
  }

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...: true
    default: false
    }
  }
}
