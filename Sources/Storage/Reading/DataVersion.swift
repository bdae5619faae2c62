/// The version of the data that a reader has read.
package struct DataVersion: Sendable {
  /// The tables that were read, without those of which only `partitions` were read.
  let tables: TableSet
  /// The partitions that were read of other tables.
  let partitions: PartitionKeys
  /// The version of the file, which was stable and in which they had the content that was read.
  let version: UInt64
}
