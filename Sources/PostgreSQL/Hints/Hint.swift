/// What a process sends to the others about a commit, so that they read at once what has changed and not only at
/// intervals. A hint can be lost, repeated and late.
package struct Hint: Hashable, Sendable {
  /// What the hint is about: an ASCII letter, which the sender and the receivers know.
  package let kind: UInt8
  package let key: Int64

  package init(_ kind: UInt8, key: Int64) {
    self.kind = kind
    self.key = key
  }
}

/// What a process receives of the others.
package enum HintReport: Sendable {
  /// Hints with their numbers. Of several with the same kind and key, the one with the highest number is sent.
  case hints([Hint: Int64])
  /// Messages may have been lost: the receiver must read everything that hints can be about.
  case gap
}
