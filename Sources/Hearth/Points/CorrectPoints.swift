import GraphQL
import Storage

/// `correctPoints`: an adult adds points to another member or takes points away, with a reason.
enum CorrectPoints {
  typealias EntryKey = (family: GlobalID, entry: GlobalID)

  /// The corrected entry, with the points that are left of it, and whether they still count.
  static let entry = SQL<EntryKey>(
    """
    SELECT e.member_id, e.contract_id, e.points, e.points + coalesce((SELECT CAST(sum(c.points) AS bigint) \
    FROM point_entry AS c \(index: "point_entry_by_member") WHERE c.family_id = e.family_id \
    AND c.member_id = e.member_id AND c.id > e.id AND c.corrected_id = e.id), 0), \
    EXISTS (SELECT 1 FROM point_entry AS c \(index: "point_entry_by_member") WHERE c.family_id = e.family_id \
    AND c.member_id = e.member_id AND c.id > e.id AND c.kind = \(PointEntryKind.closing)) \
    FROM point_entry AS e WHERE e.family_id = \(\.family) AND e.id = \(\.entry) \
    AND e.kind IN (\(PointEntryKind.chore), \(PointEntryKind.correction))
    """
  )

  private struct Corrected: Sendable {
    let member: GlobalID
    let contract: GlobalID?
    let points: Int64
    let remaining: Int64
    /// Whether the member's points have started at 0 again since. The contract does not tell without one before and
    /// after it.
    let isClosed: Bool
  }

  private struct Correction: Sendable {
    let member: GlobalID?
    let points: Int64?
    let reason: String?
    let entry: GlobalID?
    let namesEntry: Bool
  }

  static let maximumPoints: Int64 = 1_000

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments["input"], at: ["input"])
    let correction = correction(&form, in: context)
    let inputErrors = form.errors
    let written = try await context.write(as: viewer) { write in
      try correct(correction, by: viewer.member, inputErrors, in: write)
    }
    return Payload(["entry": [written], "member": [correction.member].compactMap(\.self)])
  }

  private static func correction(_ form: inout InputForm, in context: RequestContext) -> Correction {
    let cipher = context.cipher
    let namesEntry = form["entryId"] != nil
    let points = form.integer("points", subject: "Points", in: -maximumPoints...maximumPoints)
    if points == 0 {
      form.reject("points", code: .outOfRange, reason: .zeroPoints, message: "Points cannot be zero.")
    }
    if form["points"] == nil, !namesEntry { form.reject("points", code: .blank, message: "Points are required.") }
    return Correction(
      member: cipher.person(of: form["memberId"]),
      points: points,
      reason: form.line("reason", subject: "A reason", maximum: 500),
      entry: form["entryId"]?.string.flatMap(cipher.key(of:)),
      namesEntry: namesEntry
    )
  }

  private static func correct(
    _ correction: Correction,
    by parent: GlobalID,
    _ inputErrors: [UserError],
    in write: FamilyWrite
  ) throws -> GlobalID {
    var errors: [UserError] = []
    let standing = try correction.member.flatMap {
      try PointLedger.standing($0, of: write.family, from: write.reader)
    }
    if standing == nil {
      let message: UserError.Message = "No child or adult of the family has this id."
      errors.append(UserError(field: ["input", "memberId"], code: .notFound, message: message))
    } else if correction.member == parent {
      let message: UserError.Message = "Another adult of the family corrects your points."
      errors.append(UserError(field: ["input", "memberId"], code: .notAllowed, message: message))
    }
    let corrected = try correction.entry.flatMap { try find($0, of: write.family, from: write.reader) }
    if correction.namesEntry, corrected == nil || standing != nil && corrected?.member != correction.member {
      let message: UserError.Message = "The member has no points for a chore or by a correction with this id."
      errors.append(UserError(field: ["input", "entryId"], code: .notFound, message: message))
    }
    errors += inputErrors
    guard errors.isEmpty, let member = correction.member, let standing else { throw RejectedInput(errors) }
    let entry = PointEntry(
      family: write.family,
      member: member,
      points: try points(of: correction, corrected: corrected, standing: standing),
      kind: .correction,
      author: parent,
      reason: correction.reason,
      contract: standing.contract,
      corrected: correction.entry,
      createdAt: write.now
    )
    let key = try PointLedger.record(entry, in: write.transaction)
    write.record(.pointsChanged, subject: member)
    return key
  }

  private static func find(_ entry: GlobalID, of family: GlobalID, from reader: Reader) throws -> Corrected? {
    try reader.first(of: self.entry, (family: family, entry: entry)) { row in
      Corrected(
        member: row.key(0),
        contract: row.optionalKey(1),
        points: row.int64(2),
        remaining: row.int64(3),
        isClosed: row.bool(4)
      )
    }
  }

  /// The points of the correction, which leave neither the corrected entry nor the member with less than nothing.
  private static func points(
    of correction: Correction,
    corrected: Corrected?,
    standing: PointLedger.Standing
  ) throws(RejectedInput) -> Int64 {
    if let corrected {
      guard corrected.points > 0, corrected.contract == standing.contract, !corrected.isClosed else {
        let gavePoints = corrected.points > 0
        throw RejectedInput(
          ["input", "entryId"],
          code: .conflict,
          reason: gavePoints ? .otherContract : .noPoints,
          message: gavePoints
            ? "The points were given under another contract and no longer count."
            : "The entry gave no points."
        )
      }
      guard corrected.remaining > 0, corrected.remaining + (correction.points ?? 0) >= 0 else {
        let arePointsLeft = corrected.remaining > 0
        throw RejectedInput(
          ["input", "entryId"],
          code: .conflict,
          reason: arePointsLeft ? .fewerPointsLeft : .noPointsLeft,
          message: arePointsLeft
            ? "Only \(corrected.remaining, as: "points") points of the entry are left to take back."
            : "No points of the entry are left to take back."
        )
      }
    }
    let points = correction.points ?? -(corrected?.remaining ?? 0)
    guard points != 0, standing.points + points >= 0 else {
      throw RejectedInput(
        ["input", "points"],
        code: .conflict,
        message: "There are only \(standing.points, as: "points") points to take away."
      )
    }
    return points
  }
}
