/// The version of the data that a reader has read.
package struct DataVersion: Sendable {
  enum Source {
    case file(FileVersion)
    case server(ServerVersion)
  }

  let source: Source
}

/// The version of what was read from a SQLite file.
struct FileVersion: Sendable {
  /// The tables that were read, without those of which only `partitions` were read.
  let tables: TableSet
  /// The partitions that were read of other tables.
  let partitions: PartitionKeys
  /// A version of the file in which they had the content that was read, with all commits that had ended.
  let version: UInt64
}
