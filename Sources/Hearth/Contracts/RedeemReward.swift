import GraphQL
import Storage

/// `redeemReward`: a child asks for a reward that it has reached, or a parent redeems it for the child.
enum RedeemReward {
  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireViewer()
    let (contract, level) = Reward.contractAndLevel(of: arguments, in: context)
    let entry = try await context.write(as: viewer) { write in
      let reward = try Reward.find(level, of: contract, by: viewer, from: write.reader)
      // A repeated request changes nothing.
      if let redemption = reward.redemption { return redemption }
      let entry = try reward.redeem(by: viewer.member, in: write)
      let recipients =
        viewer.isChild ? try FamilyMember.parents(of: write.family, from: write.reader) : [reward.child]
      try reward.announce(entry, as: .rewardRedeemedNotification, to: recipients, by: viewer.member, in: write)
      return entry
    }
    return Reward.payload(contract: contract, entry: entry)
  }
}
