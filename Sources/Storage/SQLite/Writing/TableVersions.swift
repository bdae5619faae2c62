import Synchronization

/// The versions of a SQLite file, its tables, and the partitions of these (`PartitionedTable`), which change with the
/// commits of the file's writer. They tell readers whether the snapshot that they have is still the newest one, and
/// whether what they have read is unchanged.
///
/// The version of the file is odd while a commit is in progress: new snapshots may then contain it or not.
@usableFromInline final class TableVersions: Sendable {
  private final class Version: Sendable {
    let value = Atomic<UInt64>(0)
  }

  private let file = Version()
  /// The version of the file with the last change of each table.
  private let tables = (0..<TableSet.maximumCount).map { _ in Version() }
  private let numbers = Mutex<[String: Int]>([:])
  private let partitions = PartitionVersions()
  /// The tables whose partitions have versions.
  let partitioned: [PartitionedTable]

  init(partitioned: [PartitionedTable]) { self.partitioned = partitioned }

  /// The version of the file with all commits of which their callers may know. A commit that has not ended may already
  /// be visible to new snapshots.
  var current: UInt64 { file.value.load(ordering: .acquiring) }

  /// The same without a commit that has not ended.
  var ended: UInt64 { current & ~1 }

  /// Must be called before a commit begins.
  ///
  /// - Parameters:
  ///   - changed: at least the tables that the commit changes.
  ///   - partitions: at least the partitions.
  func willCommit(changing changed: TableSet, partitions: ChangedPartitions) {
    let version = ended + 1
    for table in changed { tables[table].value.store(version, ordering: .releasing) }
    self.partitions.change(changed == .all ? .unknown : partitions, at: version)
  }

  /// Must be called between `willCommit` and the moment at which the commit is visible to other connections.
  func commitWillBegin() {
    if current == ended { file.value.wrappingAdd(1, ordering: .acquiringAndReleasing) }
  }

  /// Must be called after a commit, whether or not it succeeded, and before its callers get their results.
  func commitDidEnd() {
    // A transaction without changes is not committed.
    if current != ended { file.value.wrappingAdd(1, ordering: .releasing) }
  }

  /// Whether the data is the same now as in its version. What a commit in progress changes is not.
  func isUnchanged(_ read: FileVersion) -> Bool {
    if current == read.version { return true }
    return read.tables.allSatisfy { tables[$0].value.load(ordering: .acquiring) <= read.version }
      && partitions.areUnchanged(read.partitions, since: read.version)
  }

  /// The set of one table. Tables beyond the maximum have the same version.
  func set(of name: String) -> TableSet {
    // SQLite reports some names as the statement spells them.
    let table = name.lowercased()
    return TableSet(
      number: numbers.withLock { numbers in
        if let number = numbers[table] { return number }
        let number = min(numbers.count, Self.sharedNumber)
        numbers[table] = number
        return number
      }
    )
  }

  /// The set of a table whose partitions have versions; the empty set if they do not.
  func set(ofPartitioned table: PartitionedTable) -> TableSet {
    guard partitioned.contains(table) else { return .none }
    let set = set(of: table.name)
    return set == TableSet(number: Self.sharedNumber) ? .none : set
  }

  private static let sharedNumber = TableSet.maximumCount - 1
}

/// Tables of a SQLite file, by the numbers that its `TableVersions` gives them.
@usableFromInline struct TableSet: Equatable, Sequence, Sendable {
  static let maximumCount = 64
  static let all = TableSet(bits: .max)
  @usableFromInline static let none = TableSet(bits: 0)

  @usableFromInline var bits: UInt64

  @usableFromInline init(bits: UInt64) { self.bits = bits }

  init(number: Int) { bits = 1 << UInt64(number) }

  @inlinable @inline(__always)
  mutating func formUnion(_ other: TableSet) { bits |= other.bits }

  @usableFromInline func union(_ other: TableSet) -> TableSet { TableSet(bits: bits | other.bits) }

  func intersection(_ other: TableSet) -> TableSet { TableSet(bits: bits & other.bits) }

  func subtracting(_ other: TableSet) -> TableSet { TableSet(bits: bits & ~other.bits) }

  @usableFromInline struct Iterator: IteratorProtocol {
    fileprivate var rest: UInt64

    @usableFromInline mutating func next() -> Int? {
      guard rest != 0 else { return nil }
      defer { rest &= rest - 1 }
      return rest.trailingZeroBitCount
    }
  }

  @usableFromInline func makeIterator() -> Iterator { Iterator(rest: bits) }
}
