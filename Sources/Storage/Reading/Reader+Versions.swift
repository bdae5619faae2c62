/// Whether what a reader has read is still the newest data. Known for the readers of loops, with PostgreSQL if the
/// database was opened with versions, and only of partitions whose changes are noted there.
extension Reader {
  /// Begins to record what is read, until the next call. Returns false if the version of the data is not known.
  package func beginVersionedRead() -> Bool {
    if let deferred { return deferred.beginVersionedRead() }
    versionedSince = nil
    guard let versions, let connection else { return false }
    connection.tableUse.begin()
    // What is read belongs to the snapshot that a reading has already, after which something may have been committed.
    versionedSince = readingSince ?? versions.ended
    return true
  }

  /// The version of what has been read since `beginVersionedRead`; nil if it was changed meanwhile, or by a commit that
  /// is in progress, or was not read in one snapshot.
  ///
  /// A snapshot of a file may be older than the call, if it was kept, or newer. But what was read has not changed from
  /// the call to now, so it has the content that it had throughout.
  package var dataVersion: DataVersion? {
    if let deferred { return deferred.version.map { DataVersion(source: .server($0)) } }
    guard let versions, let connection, let version = versionedSince else { return nil }
    let read = FileVersion(
      tables: connection.tableUse.tables,
      partitions: connection.tableUse.partitions,
      version: version
    )
    return versions.isUnchanged(read) ? DataVersion(source: .file(read)) : nil
  }

  /// Whether a new snapshot would contain the same. A reader that does not answer at once asks the server: call this in
  /// passes.
  package func isCurrent(_ read: DataVersion) throws(DatabaseError) -> Bool {
    switch read.source {
    case .file(let version): return versions?.isUnchanged(version) ?? false
    case .server(let version):
      let result = checking { Result { () throws(DatabaseError) in try version.isCurrent(for: self) } }
      return try result.get()
    }
  }
}
