import Storage

/// A write, and the time at which it happens. Valid only while the body of the write runs.
///
/// A function that changes data and needs the time takes one as its last parameter, `in write`, and one that needs no
/// time takes the transaction. What only reads takes a reader: `from reader`.
struct DatedWrite {
  let now: Timestamp
  let transaction: WriteTransaction
  /// Whether the write leaves a row with the idempotency key of its request.
  let hasIdempotencyKey: Bool

  init(at now: Timestamp, in transaction: WriteTransaction, hasIdempotencyKey: Bool = false) {
    self.now = now
    self.transaction = transaction
    self.hasIdempotencyKey = hasIdempotencyKey
  }

  /// Reads with the changes of the write so far.
  var reader: Reader { transaction.reader }
}
