import GraphQL
import Storage

/// `redeemReward`: a child asks for a reward that it has reached, or a parent redeems it for the child.
enum RedeemReward {
  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireViewer()
    let (contract, level) = Reward.contractAndLevel(of: arguments, in: context)
    let now = context.now
    let entry = try await context.write { transaction in
      let reward = try Reward.find(level, of: contract, by: viewer, from: transaction.reader)
      // A repeated request changes nothing.
      if let redemption = reward.redemption { return redemption }
      let entry = try reward.redeem(by: viewer, at: now, in: transaction)
      let recipients =
        viewer.isChild ? try FamilyMember.parents(of: viewer.family, from: transaction.reader) : [reward.child]
      try reward.announce(
        entry,
        as: .rewardRedeemedNotification,
        to: recipients,
        by: viewer,
        at: now,
        in: transaction
      )
      return entry
    }
    return Reward.payload(contract: contract, entry: entry)
  }
}
