import GraphQL
import Storage

/// `leaveFamily`: takes effect immediately, and is possible whenever another parent stays with the children. Requires
/// the password, so that a stolen session cannot separate a parent from their children.
enum LeaveFamily {
  static let mutation = FieldBinding.mutation(.single("password")) { arguments, context in
    let viewer = try context.requireParent()
    let password = arguments["input"]?["password"]?.string ?? ""
    try await context.requirePassword(password, at: ["input", "password"], of: viewer)
    let services = context.services
    let lane = services.mail.lane(network: context.client, sender: .person(viewer.member))
    let family = try await context.write(as: viewer) { write in
      guard try FamilyMember.hasParent(besides: viewer.member, of: write.family, from: write.reader) else {
        let hasChild = try FamilyMember.hasChild(of: write.family, from: write.reader)
        let message: UserError.Message =
          hasChild
          ? "You are the only parent of your children: invite another parent first, or deactivate your account."
          : "You are the only member of this family."
        throw RejectedInput(
          ["input"],
          code: .notAllowed,
          reason: hasChild ? .onlyParent : .onlyMember,
          message: message
        )
      }
      let new = try FamilyDeparture.depart(viewer.member, unassignments: services.unassignments, in: write)
      guard let new else {
        throw RejectedInput(["input"], code: .conflict, message: "You are not in this family any more.")
      }
      try write.notify(
        FamilyMember.parents(of: write.family, from: write.reader),
        kind: .parentLeftNotification,
        about: viewer.member,
        by: viewer.member
      )
      try services.mail.append(.parentLeft, person: viewer.member, lane: lane, in: write.dated)
      return new
    }
    try await context.move(to: family)
    return Payload(["family": [family]])
  }
}
