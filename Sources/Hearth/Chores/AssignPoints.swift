import GraphQL
import Storage

/// `assignPoints`: points for chores that a child has done, all of them or none. An open chore that brought points is
/// done.
enum AssignPoints {
  static let contractOfChild = SQL(
    "SELECT contract_id FROM child WHERE family_id = ?1 AND id = ?2 AND removed_at IS NULL"
  )
  static let insert = SQL(
    """
    INSERT INTO finished_chore (family_id, child_id, id, chore_id, points, assigned_by, finished_at) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
    """
  )
  static let finish = SQL(
    "UPDATE chore SET status = 1, updated_at = ?3 WHERE family_id = ?1 AND id = ?2 AND status = 0"
  )
  static let finishAssignments = SQL(
    "UPDATE assignment SET status = 1 WHERE family_id = ?1 AND chore_id = ?2 AND status = 0"
  )
  static let addToChild = SQL(
    """
    UPDATE child SET points = points + ?3, achievement_points = achievement_points + ?3 \
    WHERE family_id = ?1 AND id = ?2
    """
  )
  static let addToContract = SQL("UPDATE contract SET points = points + ?3 WHERE family_id = ?1 AND id = ?2")

  private struct Award: Sendable {
    /// Nil where the id is none of ours.
    let chore: GlobalID?
    let points: Int64
  }

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments["input"], at: ["input"])
    let awards = awards(&form, context)
    let child = context.services.cipher.key(of: form["childId"]?.string ?? "")
    let refused = form.errors
    let now = context.now
    let finished = try await context.write { transaction in
      try assign(awards, to: child, by: viewer, refused: refused, at: now, transaction)
    }
    return Payload(["child": [child].compactMap(\.self), "finishedChores": finished])
  }

  private static func awards(_ form: inout InputForm, _ context: RequestContext) -> [Award] {
    let given = form["chores"]?.list ?? []
    if given.isEmpty { form.refuse("chores", code: .blank, "Choose at least one chore.") }
    if given.count > 100 { form.refuse("chores", code: .tooLong, "At most 100 chores can get points at once.") }
    var known: Set<GlobalID> = []
    return given.prefix(100).enumerated().map { place, value in
      let points = value["points"]?.int ?? 0
      if !(1...3).contains(points) {
        form.refuse("chores", String(place), "points", code: .outOfRange, "Points are 1, 2 or 3.")
      }
      let chore = context.services.cipher.key(of: value["choreId"]?.string ?? "")
      if let chore, !known.insert(chore).inserted {
        form.refuse("chores", String(place), "choreId", code: .invalid, "This chore is in the list already.")
      }
      return Award(chore: chore, points: points)
    }
  }

  /// Looks at everything before anything is changed, so that all faults are told at once.
  private static func assign(
    _ awards: [Award],
    to child: GlobalID?,
    by viewer: Viewer,
    refused: [UserError],
    at now: Int64,
    _ transaction: WriteTransaction
  ) throws -> [GlobalID] {
    var refused = refused
    let family = viewer.family
    let finding = try transaction.statement(contractOfChild)
    try finding.bind(1, family.rawValue)
    try finding.bind(2, child?.rawValue ?? 0)
    let found = try finding.first { row in (contract: row.optionalInt64(0), exists: true) }
    if found == nil {
      refused.append(ChildRow.notFound(["input", "childId"]))
    }
    for (place, award) in awards.enumerated() where try !ChoreRow.exists(award.chore, in: family, transaction) {
      refused.append(ChoreRow.notFound(["input", "chores", String(place), "choreId"]))
    }
    guard refused.isEmpty, let child, let found else { throw Refused(refused) }

    let keys = try KeySequence.next(awards.count, .finishedChore, transaction)
    for (key, award) in zip(keys, awards) {
      try insert(key, award, child, viewer, at: now, transaction)
    }
    let total = awards.reduce(0) { $0 + $1.points }
    try transaction.run(addToChild, family.rawValue, child.rawValue, total)
    if let contract = found.contract { try transaction.run(addToContract, family.rawValue, contract, total) }
    try FamilyEvent.record(.pointsAssigned, child, details: keys, of: family, at: now, transaction)
    return keys
  }

  private static func insert(
    _ key: GlobalID,
    _ award: Award,
    _ child: GlobalID,
    _ viewer: Viewer,
    at now: Int64,
    _ transaction: WriteTransaction
  ) throws {
    guard let chore = award.chore?.rawValue else { return }
    let family = viewer.family.rawValue
    try transaction.run(
      insert,
      family,
      child.rawValue,
      key.rawValue,
      chore,
      award.points,
      viewer.member.rawValue,
      now
    )
    try transaction.run(finish, family, chore, now)
    guard transaction.changedRows > 0 else { return }
    try transaction.run(finishAssignments, family, chore)
    try transaction.run(ReminderRow.putDueAway, family, chore, viewer.member.rawValue)
    try FamilyEvent.record(.choreChanged, GlobalID(rawValue: chore), of: viewer.family, at: now, transaction)
  }
}
