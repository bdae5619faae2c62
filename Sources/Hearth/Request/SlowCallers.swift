/// Members whose queries start off the loop for two seconds: one of them took longer than a loop allows, so that the
/// loop would begin the next in vain, or several that each took a millisecond or more used up the member's share of the
/// loop. Confined to a loop.
struct SlowCallers {
  /// In milliseconds.
  private static let time: Int64 = 2_000
  /// What such queries of one member may take of the loop within `time`, in nanoseconds: one percent.
  private static let share: UInt64 = 20_000_000
  /// Shorter executions are not counted: they cost less than counting them in all would.
  static let shortest: UInt64 = 1_000_000
  private static let limit = 1_000

  private struct Entry {
    /// When the counting began, in milliseconds.
    var since: Int64
    /// In nanoseconds.
    var spent: UInt64 = 0
    /// Until when the member's queries start off the loop, in milliseconds.
    var until: Int64 = 0
  }

  private var entries: [GlobalID: Entry] = [:]

  func contains(_ member: GlobalID?, at now: Int64) -> Bool {
    guard !entries.isEmpty, let member, let entry = entries[member] else { return false }
    return now < entry.until
  }

  mutating func insert(_ member: GlobalID, at now: Int64) {
    update(member, at: now) { $0.until = now + Self.time }
  }

  /// Counts an execution of at least `shortest` nanoseconds.
  mutating func charge(_ member: GlobalID, nanoseconds: UInt64, at now: Int64) {
    update(member, at: now) { entry in
      entry.spent += nanoseconds
      if entry.spent > Self.share { entry.until = now + Self.time }
    }
  }

  private mutating func update(_ member: GlobalID, at now: Int64, _ body: (inout Entry) -> Void) {
    if entries.count >= Self.limit { entries = entries.filter { now - $0.value.since < Self.time } }
    var entry = entries[member] ?? Entry(since: now)
    if now - entry.since >= Self.time { (entry.since, entry.spent) = (now, 0) }
    body(&entry)
    if entries.count < Self.limit || entries[member] != nil { entries[member] = entry }
  }
}
