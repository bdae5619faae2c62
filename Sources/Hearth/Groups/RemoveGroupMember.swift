import GraphQL
import Storage

/// `removeGroupMember`, by admins. A removed member cannot join again until an admin invites them. For an invited
/// person, only the invitation is withdrawn. An earlier removal of that person still counts.
enum RemoveGroupMember {
  /// Invitations by the removed member are withdrawn too.
  static let deleteInvitations = SQL<GroupMemberKey>(
    """
    DELETE FROM group_member \
    WHERE group_id = \(\.group) AND role = \(GroupRole.invited) AND invited_by = \(\.person)
    """
  )

  static let mutation = FieldBinding.mutation(.input(required: ["groupId", "personId"])) { arguments, context in
    let viewer = try context.requireParent()
    let cipher = context.cipher
    let key = cipher.key(of: arguments["groupId"])
    let person = cipher.person(of: arguments["personId"])
    let group = try await context.write { write in
      let error = try PersonGroup.adminError(of: key, toAdmin: viewer.member, field: ["groupId"], from: write.reader)
      if let error { throw RejectedInput([error]) }
      guard person != viewer.member else {
        throw RejectedInput(["personId"], code: .notAllowed, message: "This is you: leave the group instead.")
      }
      guard let key, let person, let role = try Membership.role(of: person, in: key, from: write.reader) else {
        throw RejectedInput(["personId"], code: .notFound, message: "No member of the group has this id.")
      }
      try Membership.remove(person, from: key, in: write)
      write.record(.groupChanged, subject: key, for: person)
      if role != .invited {
        try GroupExclusion.insert(person, from: key, isRemoval: true, in: write)
        try write.transaction.run(deleteInvitations, (group: key, person: person))
        try Notifications.notify(
          person,
          kind: .groupMemberRemovedNotification,
          about: key,
          by: viewer.member,
          in: write
        )
      }
      return key
    }
    return Payload(["group": [group]])
  }
}
