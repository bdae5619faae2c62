/// The version of the data that a reader has read.
package struct DataVersion: Sendable {
  /// The tables that were read.
  let tables: TableSet
  /// The version of the file, which was stable and in which the tables had the content that was read.
  let version: UInt64
}
