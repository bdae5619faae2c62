import GraphQL
import Storage

/// `updateGroup`, by admins. Absent fields stay unchanged. An admin who extends what the group shares agrees to it for
/// themselves only: the other members have to agree, also to scopes that the group has shared before. All of
/// them have to agree again when more people can join.
enum UpdateGroup {
  static let update: PatchStatement<PersonGroup, GlobalID> = PersonGroup.table.update(
    [\.name, \.nameKey, \.description, \.hometown, \.sharing, \.picture, \.access],
    where: "id = \(\.self)"
  )
  /// Only admins can invite people to a group that is not open. When a group is closed, invitations by other members
  /// are withdrawn.
  static let deleteInvitationsByMembers = SQL<GlobalID>(
    """
    DELETE FROM group_member AS m WHERE group_id = \(\.self) AND role = \(GroupRole.invited) AND NOT EXISTS (\
    SELECT 1 FROM group_member AS a WHERE a.group_id = \(\.self) AND a.person_id = m.invited_by \
    AND a.role = \(GroupRole.admin))
    """
  )

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments["input"], at: ["input"])
    let key = context.cipher.key(of: form["id"])
    let name = form.line("name", subject: "A name", required: form.gives("name"))
    var changes = RowPatch<PersonGroup>()
    changes.set(\.name, to: name)
    changes.set(\.nameKey, to: name.map(NameOrder.key))
    changes.apply(
      form.patch("description", value: form.lines("description", subject: "A description")),
      to: \.description
    )
    changes.apply(
      form.patch("hometown", value: form.line("hometown", subject: "A hometown", required: false)),
      to: \.hometown
    )
    let sharing = form.gives("sharing") ? Scopes(form["sharing"]) : nil
    changes.set(\.sharing, to: sharing)
    let access = form["access"]?.string.flatMap(GroupAccess.init)
    changes.set(\.access, to: access)
    let picture = try await form.picture("picture", in: context)
    let (given, inputErrors) = (changes, form.errors)
    let group = try await context.write(with: inputErrors.isEmpty ? picture : .unchanged) { write in
      let field = ["input", "id"]
      let error = try PersonGroup.adminError(of: key, toAdmin: viewer.member, field: field, from: write.reader)
      let errors = (error.map { [$0] } ?? []) + inputErrors
      guard errors.isEmpty, let key else { throw RejectedInput(errors) }
      var changes = given
      changes.apply(try picture.patch(write.transaction), to: \.picture)
      if sharing != nil { try Membership.endAgreements(of: key, in: write.transaction) }
      if let access { try widen(key, to: access, by: viewer.member, in: write.transaction) }
      try write.transaction.run(update, patch: changes, parameters: key)
      if let access { try close(key, to: access, in: write.transaction) }
      if sharing != nil { try Membership.join(viewer.member, to: key, in: write) }
      try SearchIndex.update(key, in: write.transaction)
      write.record(.groupChanged, subject: key, for: viewer.member)
      return key
    }
    return Payload(["group": [group]])
  }

  /// Members and requesters have agreed to share with those who could join before, not with everybody who can join now.
  private static func widen(
    _ group: GlobalID,
    to access: GroupAccess,
    by admin: GlobalID,
    in transaction: WriteTransaction
  ) throws {
    guard let before = try PersonGroup.standing(of: admin, in: group, from: transaction.reader)?.access,
      access.isWider(than: before)
    else { return }
    try Membership.endAgreementsOfOthers(than: admin, group: group, in: transaction)
  }

  private static func close(_ group: GlobalID, to access: GroupAccess, in transaction: WriteTransaction) throws {
    guard access != .open else { return }
    try transaction.run(deleteInvitationsByMembers, group)
    if access == .byInvitation { try transaction.run(GroupJoinRequest.deleteOfGroup, group) }
  }
}
