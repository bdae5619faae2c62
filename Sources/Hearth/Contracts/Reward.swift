import GraphQL
import Storage

/// The reward for a level of a contract, with what is needed to redeem it and to hand it out. Either takes effect once.
/// Points are not spent: reward levels are thresholds of the contract.
struct Reward: Sendable {
  typealias LevelKey = (family: GlobalID, contract: GlobalID, level: Int64)
  typealias Change = (family: GlobalID, contract: GlobalID, level: Int64, member: GlobalID, now: Timestamp)
  typealias Redemption = (change: Change, entry: GlobalID)

  /// The child and the points of a contract, with a level of it. The contract of a removed child is not found.
  static let ofLevel = SQL<LevelKey>(
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

  let child: GlobalID
  let contract: GlobalID
  let level: Int64
  let award: String
  let isReached: Bool
  /// The entry of the redemption; nil if the reward was not redeemed.
  let redemption: GlobalID?
  let isHandedOut: Bool

  /// Nil if the contract has no such level.
  private init?(_ contract: GlobalID, level: Int64, row: Row) {
    guard let threshold = row.optionalInt64(2) else { return nil }
    child = row.key(0)
    self.contract = contract
    self.level = level
    award = row.string(3)
    isReached = row.int64(1) >= threshold
    redemption = row.optionalKey(4)
    isHandedOut = row.optionalInt64(5) != nil
  }

  /// The contract and the level that a mutation's input names.
  static func contractAndLevel(
    of arguments: Arguments,
    in context: RequestContext
  ) -> (contract: GlobalID?, level: Int64) {
    let input = arguments["input"]
    return (context.cipher.key(of: input?["contractId"]), input?["level"]?.int ?? 0)
  }

  /// Throws if the viewer is a child whose reward it is not.
  static func find(
    _ level: Int64,
    of contract: GlobalID?,
    by viewer: Viewer,
    from reader: Reader
  ) throws -> Reward {
    let found = try contract.flatMap { contract in
      try reader.first(
        of: ofLevel,
        (family: viewer.family, contract: contract, level: level)
      ) { row in
        (child: row.key(0), reward: Reward(contract, level: level, row: row))
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

  /// The change of the level's row by a member.
  func change(by member: GlobalID, in write: FamilyWrite) -> Change {
    (family: write.family, contract: contract, level: level, member: member, now: write.now)
  }

  /// Records the redemption, with an entry that names the reward.
  func redeem(by member: GlobalID, in write: FamilyWrite) throws -> GlobalID {
    guard isReached else {
      throw RejectedInput(["input", "level"], code: .conflict, message: "The child has not reached this level.")
    }
    let entry = PointEntry(
      family: write.family,
      member: child,
      points: 0,
      kind: .redemption,
      author: member,
      reason: award,
      contract: contract,
      level: level,
      createdAt: write.now
    )
    let key = try PointLedger.record(entry, in: write.transaction)
    try write.transaction.run(Self.redeem, (change: change(by: member, in: write), entry: key))
    return key
  }

  /// Notifies members of the family of what `member` did with the reward, and records that the contract and
  /// the child have changed: the child's reward level and point entries show it too.
  ///
  /// - Parameters:
  ///   - entry: of the redemption.
  ///   - kind: of the notifications.
  func announce(
    _ entry: GlobalID,
    as kind: Kind,
    to recipients: [GlobalID],
    by member: GlobalID,
    in write: FamilyWrite
  ) throws {
    try write.notify(recipients, kind: kind, about: entry, by: member)
    write.record(.contractChanged, subject: contract)
    write.record(.childChanged, subject: child)
  }

  /// The payload of both mutations, with the contract and the entry of the redemption.
  static func payload(contract: GlobalID?, entry: GlobalID) -> Payload {
    Payload(["contract": [contract].compactMap(\.self), "entry": [entry]])
  }
}
