import GraphQL
import Storage

/// `setGroupRole`, by admins: makes a member an admin, who is notified, or an admin a member. A group always has at
/// least one admin.
enum SetGroupRole {
  static let mutation = FieldBinding.mutation(.input(required: ["groupId", "personId", "role"])) { arguments, context in
    let viewer = try context.requireParent()
    let cipher = context.cipher
    let key = cipher.key(of: arguments["groupId"])
    let person = cipher.person(of: arguments["personId"])
    let role = arguments["role"]?.string.flatMap(GroupRole.init) ?? .member
    let limits = context.services.rateLimits
    let group = try await context.write { write in
      var errors: [UserError] = []
      if role == .invited {
        let message: UserError.Message = "A member's role cannot be set to INVITED: use `inviteToGroup`."
        errors.append(UserError(field: ["role"], code: .notAllowed, reason: .invitedRole, message: message))
      }
      let error = try PersonGroup.adminError(of: key, toAdmin: viewer.member, field: ["groupId"], from: write.reader)
      if let error { throw RejectedInput([error] + errors) }
      let known = try key.flatMap { key in
        try person.flatMap { try Membership.role(of: $0, in: key, from: write.reader) }
      }
      guard let key, let person, let known, known != .invited else {
        let message: UserError.Message = "No member of the group has this id."
        throw RejectedInput([UserError(field: ["personId"], code: .notFound, message: message)] + errors)
      }
      guard errors.isEmpty else { throw RejectedInput(errors) }
      if known == .admin && role == .member {
        guard try write.reader.hasRow(Membership.otherAdmin, (group: key, person: person)) else {
          throw RejectedInput(
            ["role"],
            code: .notAllowed,
            reason: .lastAdmin,
            message: "A group requires an admin: make another member an admin first."
          )
        }
      }
      guard known != role else { return key }
      try Membership.setRole(role, of: person, group: key, in: write)
      if role == .admin {
        // Alternating between the two roles would notify the member each time.
        try limits.takeRequest(from: viewer.member, to: person, in: write)
        try Membership.notify(person, asAdminOf: key, in: write)
      }
      return key
    }
    return Payload(["group": [group]])
  }
}
