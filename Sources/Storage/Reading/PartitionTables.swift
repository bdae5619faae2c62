/// Tables by the partition that a statement reads of them, of which it has two at most
/// (`StatementPartition.maximumCount`).
@usableFromInline struct PartitionTables {
  @usableFromInline var first = TableSet.none
  @usableFromInline var second = TableSet.none

  @usableFromInline init() {}

  @inlinable var all: TableSet { first.union(second) }

  @inlinable
  subscript(index: Int) -> TableSet {
    get { index == 0 ? first : second }
    set { if index == 0 { first = newValue } else { second = newValue } }
  }
}

/// The keys of the partitions that a request reads, of which it has two at most: of its family and its viewer.
@usableFromInline struct PartitionKeys: Sendable {
  @usableFromInline private(set) var first: Int64?
  @usableFromInline private(set) var second: Int64?

  @usableFromInline init() {}

  /// Returns false if there are two others.
  @usableFromInline
  mutating func add(_ key: Int64) -> Bool {
    if first == nil { first = key }
    if first == key { return true }
    if second == nil { second = key }
    return second == key
  }
}
