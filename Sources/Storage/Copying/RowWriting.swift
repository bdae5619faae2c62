/// Tables of one engine that are filled with the rows of others. They have neither indexes nor triggers until
/// `complete`.
package protocol RowWriting: RowReading {
  func append(_ batch: RowBatch, to table: CopiedTable) throws

  /// Creates indexes and triggers, and derives what is not copied.
  func complete() throws
}
