import Storage

/// A write, and the time at which it happens. Valid only while the body of the write runs.
///
/// A function that changes data and needs the time takes one as its last parameter, `in write`, and one that needs no
/// time takes the transaction. What only reads takes a reader: `from reader`.
struct DatedWrite {
  let now: Timestamp
  let transaction: WriteTransaction

  init(at now: Timestamp, in transaction: WriteTransaction) {
    self.now = now
    self.transaction = transaction
  }

  /// Reads with the changes of the write so far.
  var reader: Reader { transaction.reader }
}
