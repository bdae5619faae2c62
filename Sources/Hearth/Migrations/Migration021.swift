import Storage

extension Migration {
  /// Rewards that were redeemed and handed out.
  static let rewardRedemption = Migration(
    21,
    "reward redemption",
    sql: """
      -- When the reward was redeemed and by whom, with the entry of the ledger. NULL until then.
      ALTER TABLE reward_level ADD COLUMN redeemed_at INTEGER;
      ALTER TABLE reward_level ADD COLUMN redeemed_by INTEGER;
      ALTER TABLE reward_level ADD COLUMN redemption_id INTEGER;
      -- When a parent handed it out, and who.
      ALTER TABLE reward_level ADD COLUMN handed_out_at INTEGER;
      ALTER TABLE reward_level ADD COLUMN handed_out_by INTEGER;
      """
  )
}
