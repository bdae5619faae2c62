import GraphQL
import Storage

/// `assignPoints` awards points for chores that a child has done: for all of them, or for none when one is invalid. An
/// open chore that gets points becomes done.
enum AssignPoints {
  static let contractOfChild = SQL<(family: GlobalID, child: GlobalID)>(
    "SELECT contract_id FROM child WHERE family_id = \(\.family) AND id = \(\.child) AND removed_at IS NULL"
  )
  static let addToChild = SQL<(family: GlobalID, child: GlobalID, points: Int64)>(
    """
    UPDATE child SET points = points + \(\.points), achievement_points = achievement_points + \(\.points) \
    WHERE family_id = \(\.family) AND id = \(\.child)
    """
  )
  static let addToContract = SQL<(family: GlobalID, contract: GlobalID, points: Int64)>(
    """
    UPDATE contract SET points = points + \(\.points) WHERE family_id = \(\.family) AND id = \(\.contract)
    """
  )

  private struct Award: Sendable {
    /// Nil when the id is not valid.
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
    if given.isEmpty { form.reject("chores", code: .blank, "Choose at least one chore.") }
    if given.count > 100 { form.reject("chores", code: .tooLong, "At most 100 chores can get points at once.") }
    var known: Set<GlobalID> = []
    return given.prefix(100).enumerated().map { place, value in
      let points = value["points"]?.int ?? 0
      if !(1...3).contains(points) {
        form.reject("chores", String(place), "points", code: .outOfRange, "Points are 1, 2 or 3.")
      }
      let chore = context.services.cipher.key(of: value["choreId"]?.string ?? "")
      if let chore, !known.insert(chore).inserted {
        form.reject("chores", String(place), "choreId", code: .invalid, "This chore is already in the list.")
      }
      return Award(chore: chore, points: points)
    }
  }

  /// Validates everything before it changes anything, so that all user errors are reported together.
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
    // Nil when the child does not exist; the inner value is nil when the child has no contract.
    let found: GlobalID?? = try child.flatMap { child in
      try transaction.reader.first(of: contractOfChild, (family: family, child: child)) { row in
        row.optionalInt64(0).map(GlobalID.init(rawValue:))
      }
    }
    if found == nil {
      refused.append(ChildRow.notFound(["input", "childId"]))
    }
    for (place, award) in awards.enumerated() where try !ChoreRow.exists(award.chore, in: family, transaction) {
      refused.append(ChoreRow.notFound(["input", "chores", String(place), "choreId"]))
    }
    guard refused.isEmpty, let child, let contract = found else { throw RejectedInput(refused) }

    let keys = try KeySequence.next(awards.count, of: .finishedChore, transaction)
    for (key, award) in zip(keys, awards) {
      guard let chore = award.chore else { continue }
      let finished = FinishedChore(
        family: family,
        child: child,
        id: key,
        chore: chore,
        points: award.points,
        assignedBy: viewer.member,
        finishedAt: Timestamp(now)
      )
      try transaction.run(FinishedChore.table.insert, finished)
      try ChoreTransition.finish(chore, of: family, by: viewer.member, at: now, transaction)
    }
    try add(awards.reduce(0) { $0 + $1.points }, to: child, contract: contract, of: family, transaction)
    try FamilyEvent.record(.pointsAssigned, child, details: keys, of: family, at: now, transaction)
    return keys
  }

  /// Adds points to the child and to its contract, if it has one.
  static func add(
    _ points: Int64,
    to child: GlobalID,
    contract: GlobalID?,
    of family: GlobalID,
    _ transaction: WriteTransaction
  ) throws {
    try transaction.run(addToChild, (family: family, child: child, points: points))
    guard let contract else { return }
    try transaction.run(addToContract, (family: family, contract: contract, points: points))
  }
}
