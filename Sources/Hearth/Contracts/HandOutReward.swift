import GraphQL
import Storage

/// `handOutReward`: a parent hands out a reward that the child has reached. A reward that was redeemed was promised, so
/// it can be handed out even if points were taken back since.
enum HandOutReward {
  static let handOut = SQL<Reward.Change>(
    """
    UPDATE reward_level SET handed_out_at = \(\.now), handed_out_by = \(\.member) \
    WHERE family_id = \(\.family) AND contract_id = \(\.contract) AND level = \(\.level)
    """
  )

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let (contract, level) = Reward.contractAndLevel(of: arguments, in: context)
    let entry = try await context.write(as: viewer) { write in
      let reward = try Reward.find(level, of: contract, by: viewer, from: write.reader)
      // A parent can hand out a reward that the child has not asked for.
      let entry = try reward.redemption ?? reward.redeem(by: viewer.member, in: write)
      guard !reward.isHandedOut else { return entry }
      try write.transaction.run(handOut, reward.change(by: viewer.member, in: write))
      try reward.announce(entry, as: .rewardHandedOutNotification, to: [reward.child], by: viewer.member, in: write)
      return entry
    }
    return Reward.payload(contract: contract, entry: entry)
  }
}
