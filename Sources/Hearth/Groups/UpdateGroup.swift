import GraphQL
import Storage

/// `updateGroup`, by admins. What is absent stays as it is. Who has the group share more agrees to it for themselves alone.
enum UpdateGroup {
  static let update = SQL(
    """
    UPDATE person_group SET name = ifnull(?2, name), name_key = ifnull(?3, name_key), \
    description = iif(?4, ?5, description), hometown = iif(?6, ?7, hometown), sharing = ifnull(?8, sharing), \
    picture = iif(?9, ?10, picture) WHERE id = ?1
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
      try statement.run()
      if sharing != nil { try transaction.run(Membership.join, key.rawValue, viewer.member.rawValue, now) }
      try SearchIndex.update(key, transaction)
      return key
    }
    return Payload(["group": [group]])
  }
}
