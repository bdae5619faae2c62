import Foundation

/// What time it is. Tests set their own.
struct Clock: Sendable {
  /// Milliseconds since 1970.
  let now: @Sendable () -> Int64

  init(_ now: @escaping @Sendable () -> Int64) { self.now = now }

  static let system = Clock { Int64(Date().timeIntervalSince1970 * 1000) }
}
