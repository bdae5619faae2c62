import Logging
import Storage

/// Erases the people and children whose grace period is over, one after the other, and repeats recorded erasures after
/// a restore.
///
/// Somebody with many chores, or with a family that has many, is erased in several writes. The last of them deletes the
/// name and records the erasure. Each deletes what it finds, so that an erasure continues after a crash.
///
/// What the family keeps stays: chores, points and items, with the keys of those who did, approved and created them. A
/// key belongs to a row of `person` or `child` without a name. Everything else that names the person is deleted.
///
/// It waits until the clock is settled (`ClockWatch`), except for an `ImmediateErasure`.
///
/// An erasure is recorded outside of the database after its commit. If the process ends in between, the next start
/// records it.
enum Erasure {
  /// The name of those who were erased.
  static let name = "Former member"

  /// The number of chores, items and other rows of a family that are deleted or changed in one write, so that other
  /// writes do not wait long. The last write deletes the rest of what names the person without counting it.
  static let maximumAtOnce: Int64 = 200

  typealias Due = (member: GlobalID, family: GlobalID)
  typealias DueQuery = (now: Timestamp, limit: Int64)

  static let duePerson = SQL<DueQuery>(
    """
    SELECT id, family_id FROM person \(index: "person_to_erase") WHERE erase_at <= \(\.now) \
    ORDER BY erase_at LIMIT \(\.limit)
    """
  )
  static let dueChild = SQL<DueQuery>(
    """
    SELECT id, family_id FROM child \(index: "child_to_erase") WHERE erase_at <= \(\.now) \
    ORDER BY erase_at LIMIT \(\.limit)
    """
  )
  static let earliestPerson = SQL<Void>(
    """
    SELECT erase_at FROM person \(index: "person_to_erase") WHERE erase_at > 0 ORDER BY erase_at LIMIT 1
    """
  )
  static let earliestChild = SQL<Void>(
    """
    SELECT erase_at FROM child \(index: "child_to_erase") WHERE erase_at > 0 ORDER BY erase_at LIMIT 1
    """
  )

  static let nextPerson = SQL<Timestamp>(
    """
    SELECT erase_at FROM person \(index: "person_to_erase") WHERE erase_at > \(\.self) ORDER BY erase_at LIMIT 1
    """
  )
  static let nextChild = SQL<Timestamp>(
    """
    SELECT erase_at FROM child \(index: "child_to_erase") WHERE erase_at > \(\.self) ORDER BY erase_at LIMIT 1
    """
  )

  static let lease = "erasures"

  static let service = FeatureService(lease) { services in
    let failures = FailedAttempts(of: "An erasure", log: services.log)
    let dueTimes = [earliestPerson, earliestChild, SearchIndex.compactionDueAt]
    return Scheduler(lease, in: services.work, dueTimes: dueTimes) { write in
      try eraseNext(failures: failures, services: services, in: write)
    }
  }

  /// Erases who is due first, except for those whose erasure fails. When no one is, removes them from the blocks of the
  /// search index, in steps.
  private static func eraseNext(
    failures: FailedAttempts,
    services: FeatureServices,
    in scheduled: DatedWrite
  ) throws -> Int64? {
    let seen = services.clockWatch.look()
    let (now, isSettled) = (seen.now, seen.settlesAt == nil)
    let write = DatedWrite(at: Timestamp(now), in: scheduled.transaction)
    func due(_ statement: SQL<DueQuery>) throws -> Due? {
      try failures.beginNext(at: now, of: \.member, in: scheduled) { limit in
        try write.reader.all(of: statement, (now: write.now, limit: limit)) { row in
          (member: row.key(0), family: row.key(1))
        }
      }
    }
    if let due = try due(isSettled ? duePerson : ImmediateErasure.duePerson) {
      try ErasedPerson.erase(due.member, services: services, in: write.inFamily(due.family))
      return now
    }
    if let due = try due(isSettled ? dueChild : ImmediateErasure.dueChild) {
      try ErasedChild.erase(due.member, services: services, in: write.inFamily(due.family))
      return now
    }
    let next = try [nextPerson, nextChild].compactMap { statement in
      try write.reader.number(of: statement, write.now)
    }
    let others = [
      failures.nextRetry(after: now), try SearchIndex.compact(in: write), seen.settlesAt,
    ]
    return (next + others.compactMap(\.self)).min()
  }

  /// Completes the write of an erasure: deletes pictures that are unused now, and records the erasure.
  static func finish(_ entry: ErasureRecord.Entry, services: FeatureServices, in write: DatedWrite) throws {
    try SearchIndex.scheduleCompaction(in: write)
    try services.pictures.removeUnused(write.transaction)
    write.transaction.emptyLogAfterCommit()
    let (record, log) = (services.erasureRecord, services.log)
    write.transaction.afterCommit {
      do throws(ErasureRecord.Failure) {
        try record.append([entry])
      } catch {
        log.error("An erasure could not be recorded. The next start tries again.", metadata: ["error": "\(error)"])
      }
    }
  }

  /// Deletes the archives of a member's data when the write is committed.
  static func removeArchives(of member: GlobalID, services: FeatureServices, after transaction: WriteTransaction) {
    let exports = services[ExportFolder.service]
    transaction.afterCommit { exports.removeArchives(of: member) }
  }

  // MARK: After a restore

  static let erasedPeople = SQL<Void>(
    "SELECT id, created_at FROM person \(index: "person_erased") WHERE erased_at IS NOT NULL"
  )
  static let erasedChildren = SQL<Void>(
    "SELECT id, created_at FROM child \(index: "child_erased") WHERE erased_at IS NOT NULL"
  )
  static let people = SQL<[Int64]>(
    """
    SELECT p.id, p.family_id, p.created_at FROM \(table: \.self) AS k \
    \(join: .asWritten) person AS p ON p.id = k.value WHERE p.erased_at IS NULL
    """
  )
  static let children = SQL<Void>("SELECT id, family_id, created_at FROM child WHERE erased_at IS NULL")

  /// Schedules the recorded erasures of those whom the database still has, because an older backup was restored, and
  /// records those that are not recorded. Those whom the backup has as active are deactivated or removed before
  /// requests are served.
  @Sendable static func repeatRecorded(_ services: Services) async throws {
    let recorded = try services.erasureRecord.entries()
    let (erased, found) = try inventory(recorded, in: services.database)
    try services.erasureRecord.append(erased.subtracting(recorded))
    guard !found.isEmpty else { return }
    services.log.notice(
      "The data is older than recorded erasures, which are repeated.",
      metadata: ["count": "\(found.count)"]
    )
    let (now, unassignments) = (services.clock.now(), services.unassignments)
    for due in found {
      try await services.database.write { transaction in
        let write = DatedWrite(at: Timestamp(now), in: transaction).inFamily(due.family)
        if due.member.kind == .child {
          try ErasedChild.schedule(due.member, unassignments: unassignments, in: write)
        } else {
          try ErasedPerson.schedule(due.member, unassignments: unassignments, in: write)
        }
      }
    }
  }

  private static func inventory(
    _ recorded: Set<ErasureRecord.Entry>,
    in database: Database
  ) throws -> (erased: Set<ErasureRecord.Entry>, unerased: [Due]) {
    let reader = try database.makeReader()
    defer { reader.endRead() }
    return try inventory(recorded, from: reader)
  }

  /// The erasures in the database, and those who are recorded but not erased.
  static func inventory(
    _ recorded: Set<ErasureRecord.Entry>,
    from reader: Reader
  ) throws -> (erased: Set<ErasureRecord.Entry>, unerased: [Due]) {
    var erased: Set<ErasureRecord.Entry> = []
    for statement in [erasedPeople, erasedChildren] {
      try reader.forEachRow(of: statement, ()) { row in
        erased.insert(ErasureRecord.Entry(key: row.key(0), createdAt: row.int64(1)))
      }
    }
    var unerased: [Due] = []
    func add(_ row: Row) {
      let key = row.key(0)
      guard recorded.contains(ErasureRecord.Entry(key: key, createdAt: row.int64(2))) else { return }
      unerased.append((member: key, family: row.key(1)))
    }
    let missing = recorded.subtracting(erased).map(\.key)
    let people = missing.filter { $0.kind == .person }.map(\.rawValue)
    try reader.forEachRow(of: Self.people, people) { row in add(row) }
    if missing.contains(where: { $0.kind == .child }) {
      try reader.forEachRow(of: children, ()) { row in add(row) }
    }
    return (erased, unerased)
  }
}

extension Services {
  /// Erasures of people and children.
  var erasures: Scheduler { self[Erasure.service] }
}
