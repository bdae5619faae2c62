/// The result of running a group of writes.
enum GroupResult {
  /// All writes are answered.
  case answered
  /// Nothing was changed and no write is answered: they must be run again, in groups of at most this size.
  case repeatInGroups(ofAtMost: Int)
}
