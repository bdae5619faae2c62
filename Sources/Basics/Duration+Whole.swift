extension Duration {
  /// Whole milliseconds, rounded up for timeouts, so that a short one does not become zero. Never negative, and at most
  /// 2⁴⁰ seconds, so that adding it to a moment does not overflow.
  package var millisecondsRoundedUp: Int64 { milliseconds { $0 > 0 ? 1 : 0 } }

  /// Whole milliseconds, rounded down for elapsed times. Never negative, and at most 2⁴⁰ seconds.
  package var millisecondsRoundedDown: Int64 { milliseconds { _ in 0 } }

  private func milliseconds(addedFor carry: (_ rest: Int64) -> Int64) -> Int64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    guard seconds < 1 << 40 else { return (1 << 40) * 1000 }
    let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000)
    return seconds * 1000 + whole + carry(rest)
  }

  /// Whole nanoseconds, rounded down. Never negative, and at most 2³⁴ seconds.
  package var nanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    guard seconds < 1 << 34 else { return (1 << 34) * 1_000_000_000 }
    return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
  }
}
