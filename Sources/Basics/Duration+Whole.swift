import Glibc

extension Duration {
  /// Whole milliseconds. Never negative, and at most 2⁴⁰ seconds, so that adding a duration to a moment does not
  /// overflow.
  ///
  /// - Parameter rule: up for timeouts, so that a short one does not become zero; down for elapsed times.
  package func milliseconds(rounded rule: FloatingPointRoundingRule) -> Int64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    guard seconds < 1 << 40 else { return (1 << 40) * 1000 }
    let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000)
    // All digits of the rest fit into a `Double` beside the last bit, by which halves are rounded to even numbers.
    let last = whole & 1
    return seconds * 1000 + whole - last + Int64((Double(last) + Double(rest) / 1e15).rounded(rule))
  }

  /// Whole nanoseconds, rounded down. Never negative, and at most 2³⁴ seconds.
  package var nanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    guard seconds < 1 << 34 else { return (1 << 34) * 1_000_000_000 }
    return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
  }
}
