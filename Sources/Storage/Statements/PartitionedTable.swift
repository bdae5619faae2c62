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
  /// The column with the key of a row's partition: an integer, never NULL.
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

/// What a statement names as the rows of partitions, and the rest of it.
struct StatementReads: Sendable {
  /// The tables that are named with a partition, and the numbers of the parameters.
  var partitioned: [(table: PartitionedTable, number: Int)] = []
  /// The rest of the statement: what it names is read as a whole.
  var rest = DialectTexts("")
}

/// A partition that a statement reads, and the tables of which it reads nothing else.
struct StatementPartition: Sendable {
  let tables: [PartitionedTable]
  /// The number of the parameter that holds the partition's key.
  let number: Int

  /// A statement has at most two: the family's and the viewer's.
  static let maximumCount = 2

  /// The partitions of a statement in a SQLite file. What it reads beyond them, it reads of whole tables.
  static func all(of reads: StatementReads) -> [StatementPartition] {
    let named = reads.partitioned
    guard !named.isEmpty else { return [] }
    let rest = Array(SQLWords(of: reads.rest.sqlite))
    var partitions: [StatementPartition] = []
    for number in Set(named.map(\.number)).sorted() {
      let tables = Set(named.filter { $0.number == number }.map(\.table)).filter { table in
        let name = table.name.lowercased()
        // Those of which another partition is read, by the same column or another, are read as a whole.
        let isOnly = named.allSatisfy { $0.table.name.lowercased() != name || ($0.table, $0.number) == (table, number) }
        let bytes = Array(name.utf8)
        return isOnly && !rest.contains { $0.canName(bytes) }
      }
      if !tables.isEmpty { partitions.append(StatementPartition(tables: Array(tables), number: number)) }
    }
    return Array(partitions.prefix(maximumCount))
  }
}
