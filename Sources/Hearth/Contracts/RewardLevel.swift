import Storage

/// A row of `reward_level`: a level of a contract, counted from 1.
struct RewardLevel: Sendable {
  var family: GlobalID
  var contract: GlobalID
  var level: Int64
  var points: Int64
  /// The sum of the points of this level and all lower ones, which a child needs to reach it.
  var threshold: Int64
  var award: String
  var redeemedAt: Timestamp?
  var redeemedBy: GlobalID?
  /// The entry of the ledger that records the redemption.
  var redemption: GlobalID?
  var handedOutAt: Timestamp?
  var handedOutBy: GlobalID?

  static let table = Table<RewardLevel>(
    "reward_level",
    [
      Column("family_id", \.family),
      Column("contract_id", \.contract),
      Column("level", \.level),
      Column("points", \.points),
      Column("threshold", \.threshold),
      Column("award", \.award),
      Column("redeemed_at", \.redeemedAt),
      Column("redeemed_by", \.redeemedBy),
      Column("redemption_id", \.redemption),
      Column("handed_out_at", \.handedOutAt),
      Column("handed_out_by", \.handedOutBy),
    ]
  )
}
