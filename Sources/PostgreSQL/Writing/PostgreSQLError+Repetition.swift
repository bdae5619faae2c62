extension PostgreSQLError {
  /// The connection is lost, or leads to a server that is read-only (25006) or a standby (0A000) since another one has
  /// taken over. A new connection leads to that one.
  var needsOtherConnection: Bool { isFatal || sqlState == "25006" || sqlState == "0A000" }

  /// The transaction can succeed if it is repeated: serialization failure, deadlock, and a lock that was not released
  /// in time.
  var isConflict: Bool { sqlState == "40001" || sqlState == "40P01" || isLockTimeout }

  /// A lock was not released in time (`ConnectionOptions.lockTimeout`).
  var isLockTimeout: Bool { sqlState == "55P03" }

  /// A violated unique or foreign key can be the first sign of a conflict with a write that was committed since the
  /// snapshot. Repeated, the write sees it.
  var mayBeConflict: Bool { sqlState == "23505" || sqlState == "23503" }
}
