import GraphQL
import Storage

/// `updateGroup`, by admins. Absent fields stay as they are. An admin who makes the group share more agrees to that for
/// themselves only.
enum UpdateGroup {
  static let update = SQL(
    """
    UPDATE person_group SET name = ifnull(?2, name), name_key = ifnull(?3, name_key), \
    description = iif(?4, ?5, description), hometown = iif(?6, ?7, hometown), sharing = ifnull(?8, sharing), \
    picture = iif(?9, ?10, picture), access = ifnull(?11, access) WHERE id = ?1
    """
  )
  /// In a group that is not open only admins invite, so invitations by other members end when it is closed.
  static let deleteInvitationsByMembers = SQL(
    """
    DELETE FROM group_member AS m WHERE group_id = ?1 AND role = 2 AND NOT EXISTS (\
    SELECT 1 FROM group_member AS a WHERE a.group_id = ?1 AND a.person_id = m.invited_by AND a.role = 0)
    """
  )

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments["input"], at: ["input"])
    let key = context.services.cipher.key(of: form["id"]?.string ?? "")
    let name = form.line("name", "A name", required: form.gives("name"))
    let description = form.lines("description", "A description")
    let hometown = form.line("hometown", "A hometown", required: false)
    let (givesDescription, givesHometown) = (form.gives("description"), form.gives("hometown"))
    let sharing = form.gives("sharing") ? Scopes(form["sharing"]) : nil
    let access = form["access"]?.string.flatMap(GroupAccess.init)
    let picture = try await form.picture("picture", context)
    let (refused, now) = (form.errors, context.now)
    let group = try await context.write(with: refused.isEmpty ? picture : .unchanged) { transaction in
      let refusal = try GroupRow.refusal(of: key, toAdmin: viewer.member, ["input", "id"], transaction)
      let errors = (refusal.map { [$0] } ?? []) + refused
      guard errors.isEmpty, let key else { throw Refused(errors) }
      let statement = try transaction.statement(update)
      try statement.bind(1, key.rawValue)
      try statement.bind(2, name)
      try statement.bind(3, name.map(NameOrder.key))
      try statement.bind(4, givesDescription)
      try statement.bind(5, description)
      try statement.bind(6, givesHometown)
      try statement.bind(7, hometown)
      try statement.bind(8, sharing?.bits)
      try statement.bind(9, picture.isGiven)
      try statement.bind(10, try picture.number(transaction))
      try statement.bind(11, access?.stored)
      try statement.run()
      if let access { try close(key, to: access, transaction) }
      if sharing != nil { try transaction.run(Membership.join, key.rawValue, viewer.member.rawValue, now) }
      try SearchIndex.update(key, transaction)
      return key
    }
    return Payload(["group": [group]])
  }

  private static func close(_ group: GlobalID, to access: GroupAccess, _ transaction: WriteTransaction) throws {
    guard access != .open else { return }
    try transaction.run(deleteInvitationsByMembers, group.rawValue)
    if access == .byInvitation { try transaction.run(GroupJoinRequest.deleteOfGroup, group.rawValue) }
  }
}
