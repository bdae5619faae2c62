import Storage

/// The tables whose rows belong to one owner each: a family or a member.
///
/// Queries name such a table together with the owner, which is the viewer or the viewer's family:
/// `\(rows: .chore, of: \.family)`. No condition can be forgotten then, and a response that reads only such rows does
/// not depend on those of others (`DataVersion`).
extension PartitionedTable {
  static let assignment = ofFamily("assignment")
  static let child = ofFamily("child")
  static let chore = ofFamily("chore")
  static let contract = ofFamily("contract")
  static let family = PartitionedTable("family", by: "id")
  static let finishedChore = ofFamily("finished_chore")
  static let item = ofFamily("item")
  static let parentRemoval = ofFamily("parent_removal")
  static let person = ofFamily("person")
  static let pointBalance = ofFamily("point_balance")
  static let pointEntry = ofFamily("point_entry")
  static let reminder = ofFamily("reminder")
  static let rewardLevel = ofFamily("reward_level")

  static let account = PartitionedTable("account", by: "id")
  static let contact = PartitionedTable("contact", by: "owner_id")
  static let notification = PartitionedTable("notification", by: "recipient_id")
  static let notificationSetting = PartitionedTable("notification_setting", by: "member_id")

  static let owned = [
    assignment, child, chore, contract, family, finishedChore, item, parentRemoval, person, pointBalance, pointEntry,
    reminder, rewardLevel, account, contact, notification, notificationSetting,
  ]

  private static func ofFamily(_ name: String) -> PartitionedTable { PartitionedTable(name, by: "family_id") }
}

extension GlobalID: PartitionKey {}
