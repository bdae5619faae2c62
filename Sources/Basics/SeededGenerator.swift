/// SplitMix64: a seed gives the same numbers in every run and on every machine.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  /// What the state grows by from one number to the next.
  package static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15

  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= Self.increment
    return Self.number(for: state)
  }

  /// The number that belongs to a state: a bijection that distributes the state's bits.
  package static func number(for state: UInt64) -> UInt64 {
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
