import Glibc

/// The advisory locks of a connection that writes: the one that all processes of a database share, and those of a write
/// that is repeated after a conflict.
enum AdvisoryLocks {
  /// The key of the lock that excludes all writes that have failed repeatedly. No row has a negative key.
  private static let allConflicts: Int64 = -1

  private static let tryLockShared = ServerStatement("SELECT pg_try_advisory_lock_shared($1)", types: [.int8])
  private static let lock = ServerStatement("SELECT pg_advisory_lock($1)", types: [.int8])
  private static let lockShared = ServerStatement("SELECT pg_advisory_lock_shared($1)", types: [.int8])
  private static let unlock = ServerStatement("SELECT pg_advisory_unlock($1)", types: [.int8])
  private static let unlockShared = ServerStatement("SELECT pg_advisory_unlock_shared($1)", types: [.int8])

  /// The longest time that a new connection waits to share a lock: the server may not have noticed yet that the
  /// connection of a process that was killed is gone.
  private static let sharingTimeout = Duration.seconds(3)

  /// Shares a lock until the connection ends, unless another process holds it alone for longer than the timeout.
  static func share(_ key: Int64, on connection: BlockingConnection) throws(PostgreSQLError) {
    let deadline = Deadline(after: sharingTimeout)
    while try connection.run(tryLockShared, ParameterBuffer(key)).int64(0, 0) == 0 {
      guard !deadline.isOver else {
        throw PostgreSQLError(.inUse, message: "Another process uses the database alone.")
      }
      usleep(50_000)
    }
  }

  /// Before a write is repeated: its domain's locks, and from the third time on the lock that excludes all repeated
  /// writes. Repeating alone is not enough: with 16 writers of 20 families, up to 0.09 % were not done after 20 times.
  ///
  /// The locks belong to the session and are taken before the transaction begins: the first statement of a SERIALIZABLE
  /// transaction takes its snapshot, and a snapshot that waits for a lock is out of date.
  static func take(
    _ domain: WriteDomain,
    after conflicts: Int,
    on connection: BlockingConnection
  ) throws(PostgreSQLError) {
    guard conflicts > 0 else { return }
    let batch = Batch()
    if conflicts >= 3 {
      batch.append(lock, ParameterBuffer(allConflicts))
    } else {
      batch.append(lockShared, ParameterBuffer(allConflicts))
      // In rising order, so that two writes do not wait for each other.
      for key in domain.keys { batch.append(lock, ParameterBuffer(key)) }
    }
    try connection.run(batch)
  }

  /// What releases the locks of `take`, some of which may not have been taken: the server then warns. Nothing waits for
  /// the answer, which precedes that of the next batch. `pg_advisory_unlock_all` would release the shared lock too.
  static func release(_ domain: WriteDomain, after conflicts: Int) -> Batch? {
    guard conflicts > 0 else { return nil }
    let batch = Batch()
    if conflicts >= 3 {
      batch.append(unlock, ParameterBuffer(allConflicts))
    } else {
      batch.append(unlockShared, ParameterBuffer(allConflicts))
      for key in domain.keys { batch.append(unlock, ParameterBuffer(key)) }
    }
    return batch
  }
}
