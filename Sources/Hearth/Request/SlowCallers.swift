/// Members whose queries start off the loop for two seconds, because one of them exceeded the time limit of a loop,
/// which would start the next one in vain, or searched many times. Confined to a loop.
final class SlowCallers {
  /// A document with more searches is executed off the loop when it is sent again: ten phrases took 3 ms each time, and
  /// 370 such documents a second left other callers 1 % of their requests.
  static let usualSearches = 2
  /// In milliseconds.
  private static let time: Int64 = 2_000
  private static let limit = 1_000
  private var until: [GlobalID: Int64] = [:]

  func contains(_ member: GlobalID?, at now: Int64) -> Bool {
    guard !until.isEmpty, let member, let end = until[member] else { return false }
    return now < end
  }

  func insert(_ member: GlobalID, at now: Int64) {
    if until.count >= Self.limit { until = until.filter { now < $0.value } }
    if until.count < Self.limit { until[member] = now + Self.time }
  }
}
