/// What a request has read since its versioned read began.
struct VersionedRead {
  private(set) var hasRead = false
  /// Nil if it has read more than a few partitions.
  private(set) var partitions: PartitionKeys? = PartitionKeys()

  mutating func add(_ sql: StatementText, _ parameters: ParameterBytes, by use: ServerTableUse) {
    hasRead = true
    guard var keys = partitions else { return }
    partitions = nil
    guard let numbers = use.partitions(of: sql) else { return }
    for number in numbers {
      guard let key = parameters.int64(at: number), keys.add(key) else { return }
    }
    partitions = keys
  }
}
