import GraphQL
import Storage

/// `redeemReward` and `handOutReward`: a child asks for a reward that it has reached, and a parent hands it out. Either
/// takes effect once. Points are not spent: reward levels are thresholds of the contract.
enum RedeemReward {
  typealias LevelKey = (family: GlobalID, contract: GlobalID, level: Int64)
  typealias Change = (family: GlobalID, contract: GlobalID, level: Int64, member: GlobalID, now: Timestamp)
  typealias Redemption = (change: Change, entry: GlobalID)

  /// The child and the points of a contract, with a level of it. The contract of a removed child is not found.
  static let level = SQL<LevelKey>(
    """
    SELECT k.child_id, k.points, r.threshold, r.award, r.redemption_id, r.handed_out_at FROM contract AS k \
    JOIN child AS c ON c.family_id = k.family_id AND c.id = k.child_id AND c.removed_at IS NULL \
    LEFT JOIN reward_level AS r ON r.family_id = k.family_id AND r.contract_id = k.id AND r.level = \(\.level) \
    WHERE k.family_id = \(\.family) AND k.id = \(\.contract)
    """
  )
  static let redeem = SQL<Redemption>(
    """
    UPDATE reward_level SET redeemed_at = \(\.change.now), redeemed_by = \(\.change.member), \
    redemption_id = \(\.entry) WHERE family_id = \(\.change.family) AND contract_id = \(\.change.contract) \
    AND level = \(\.change.level)
    """
  )
  static let handOut = SQL<Change>(
    """
    UPDATE reward_level SET handed_out_at = \(\.now), handed_out_by = \(\.member) \
    WHERE family_id = \(\.family) AND contract_id = \(\.contract) AND level = \(\.level)
    """
  )

  private struct Reward: Sendable {
    let child: GlobalID
    let contract: GlobalID
    let level: Int64
    let award: String
    let isReached: Bool
    let redemption: GlobalID?
    let isHandedOut: Bool

    /// Nil if the contract has no such level.
    init?(_ contract: GlobalID, level: Int64, row: Row) {
      guard let threshold = row.optionalInt64(2) else { return nil }
      child = GlobalID(rawValue: row.int64(0))
      self.contract = contract
      self.level = level
      award = row.string(3)
      isReached = row.int64(1) >= threshold
      redemption = row.optionalInt64(4).map(GlobalID.init(rawValue:))
      isHandedOut = row.optionalInt64(5) != nil
    }
  }

  static let redeemMutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireViewer()
    let (contract, level) = names(arguments, in: context)
    let now = context.now
    let entry = try await context.write { transaction in
      let reward = try find(level, of: contract, by: viewer, in: transaction)
      // A repeated request changes nothing.
      if let redemption = reward.redemption { return redemption }
      let entry = try redeem(reward, by: viewer, at: now, in: transaction)
      let recipients = viewer.isChild ? try Notifications.parents(of: viewer.family, in: transaction) : [reward.child]
      try Notifications.notify(
        recipients,
        of: viewer.family,
        kind: .rewardRedeemedNotification,
        about: entry,
        by: viewer.member,
        at: now,
        in: transaction
      )
      FamilyEvent.record(.contractChanged, subject: reward.contract, of: viewer.family, at: now, in: transaction)
      return entry
    }
    return Payload(["contract": [contract].compactMap(\.self), "entry": [entry]])
  }

  static let handOutMutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let (contract, level) = names(arguments, in: context)
    let now = context.now
    let entry = try await context.write { transaction in
      let reward = try find(level, of: contract, by: viewer, in: transaction)
      // A parent can hand out a reward that the child has not asked for.
      let entry = try reward.redemption ?? redeem(reward, by: viewer, at: now, in: transaction)
      guard !reward.isHandedOut else { return entry }
      try transaction.run(handOut, change(of: reward, by: viewer, at: now))
      try Notifications.notify(
        reward.child,
        of: viewer.family,
        kind: .rewardHandedOutNotification,
        about: entry,
        by: viewer.member,
        at: now,
        in: transaction
      )
      FamilyEvent.record(.contractChanged, subject: reward.contract, of: viewer.family, at: now, in: transaction)
      return entry
    }
    return Payload(["contract": [contract].compactMap(\.self), "entry": [entry]])
  }

  private static func names(_ arguments: Arguments, in context: RequestContext) -> (contract: GlobalID?, level: Int64) {
    let input = arguments["input"]
    return (context.cipher.key(of: input?["contractId"]?.string ?? ""), input?["level"]?.int ?? 0)
  }

  private static func change(of reward: Reward, by viewer: Viewer, at now: Int64) -> Change {
    (
      family: viewer.family, contract: reward.contract, level: reward.level, member: viewer.member, now: Timestamp(now)
    )
  }

  private static func find(
    _ level: Int64,
    of contract: GlobalID?,
    by viewer: Viewer,
    in transaction: WriteTransaction
  ) throws -> Reward {
    let found = try contract.flatMap { contract in
      try transaction.reader.first(
        of: self.level,
        (family: viewer.family, contract: contract, level: level)
      ) { row in
        (child: GlobalID(rawValue: row.int64(0)), reward: Reward(contract, level: level, row: row))
      }
    }
    guard let found else {
      throw RejectedInput(["input", "contractId"], code: .notFound, message: "No contract of the family has this id.")
    }
    guard !viewer.isChild || found.child == viewer.member else {
      throw FieldError("A child can redeem only its own rewards.", code: .forbidden)
    }
    guard let reward = found.reward else {
      throw RejectedInput(["input", "level"], code: .notFound, message: "The contract has no level with this number.")
    }
    return reward
  }

  /// Records the redemption, with an entry that names the reward.
  private static func redeem(
    _ reward: Reward,
    by viewer: Viewer,
    at now: Int64,
    in transaction: WriteTransaction
  ) throws -> GlobalID {
    guard reward.isReached else {
      throw RejectedInput(["input", "level"], code: .conflict, message: "The child has not reached this level.")
    }
    let entry = PointEntry(
      family: viewer.family,
      member: reward.child,
      points: 0,
      kind: .redemption,
      author: viewer.member,
      reason: reward.award,
      contract: reward.contract,
      level: reward.level,
      createdAt: Timestamp(now)
    )
    let key = try PointLedger.record(entry, in: transaction)
    try transaction.run(redeem, (change: change(of: reward, by: viewer, at: now), entry: key))
    return key
  }
}
