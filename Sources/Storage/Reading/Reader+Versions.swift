/// Whether what a reader has read is still the newest data. Known for the readers of loops on a SQLite file.
extension Reader {
  /// Begins to record what is read, until the next call. Returns false if the version of the data is not known, because
  /// the database is another process.
  package func beginVersionedRead() -> Bool {
    versionedSince = nil
    guard let versions, let connection else { return false }
    connection.tableUse.begin()
    versionedSince = versions.ended
    return true
  }

  /// The version of what has been read since `beginVersionedRead`; nil if it was changed meanwhile, or by a commit that
  /// is in progress.
  ///
  /// A snapshot may be older than the call, if it was kept, or newer. But what was read has not changed from the call
  /// to now, so it has the content that it had throughout.
  package var dataVersion: DataVersion? {
    guard let versions, let connection, let version = versionedSince else { return nil }
    let read = DataVersion(
      tables: connection.tableUse.tables,
      partitions: connection.tableUse.partitions,
      version: version
    )
    return versions.isUnchanged(read) ? read : nil
  }

  /// Whether a new snapshot would contain the same.
  package func isCurrent(_ read: DataVersion) -> Bool {
    versions?.isUnchanged(read) ?? false
  }
}
