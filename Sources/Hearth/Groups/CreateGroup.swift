import GraphQL
import Storage

/// `createGroup`: the creator is the group's first member and admin.
enum CreateGroup {
  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments["input"], at: ["input"])
    let name = form.line("name", subject: "A name")
    let description = form.lines("description", subject: "A description")
    let hometown = form.line("hometown", subject: "A hometown", required: false)
    let picture = try await form.picture("picture", in: context)
    guard form.errors.isEmpty, let name else { return Payload(errors: form.errors) }
    let content = PersonGroup.Content(
      name: name,
      description: description,
      hometown: hometown,
      sharing: Scopes(form["sharing"]),
      picture: picture,
      access: form.choice("access", default: .open)
    )
    let group = try await context.write(with: picture) { write in
      guard try Membership.hasRoom(for: viewer.member, from: write.reader) else {
        throw RejectedInput([Membership.full(["input"])])
      }
      let group = try PersonGroup.insert(content, by: viewer.member, in: write)
      try SearchIndex.update(group, in: write.transaction)
      try Membership.insert(viewer.member, as: .admin, of: group, in: write)
      write.record(.groupChanged, subject: group, for: viewer.member)
      return group
    }
    return Payload(["group": [group]])
  }
}
