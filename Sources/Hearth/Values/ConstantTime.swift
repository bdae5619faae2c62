extension Collection<UInt8> {
  /// Whether two secrets are equal. The time of the comparison tells a guesser only whether the lengths are equal, not
  /// how many bytes are.
  func equalsInConstantTime(_ other: some Collection<UInt8>) -> Bool {
    count == other.count && zip(self, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
