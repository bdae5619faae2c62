import GraphQL
import Storage

/// `updateAccount`: what somebody changes of themselves.
enum UpdateAccount {
  static let names = SQL("SELECT name, first_name, middle_name, last_name FROM person WHERE id = ?1")
  static let updatePerson = SQL(
    """
    UPDATE person SET name = ?2, first_name = ?3, middle_name = ?4, last_name = ?5, \
    date_of_birth = iif(?6, ?7, date_of_birth), gender = ifnull(?8, gender), theme = ifnull(?9, theme), \
    avatar = iif(?10, ?11, avatar), name_key = ?12 WHERE id = ?1
    """
  )
  /// The lists of people in which somebody stands by their name.
  static let reorderContacts = SQL("UPDATE contact SET name_key = ?2 WHERE person_id = ?1")
  static let reorderGroups = SQL("UPDATE group_member SET name_key = ?2 WHERE person_id = ?1")
  static let updatePhone = SQL("UPDATE account SET phone = ?2, phone_key = ?3 WHERE id = ?1")

  /// What an absent field means is "as it was"; what a null means, "not any more".
  private struct Changes: Sendable {
    let names: PersonName.Changes
    let givesDateOfBirth: Bool
    let dateOfBirth: String?
    let gender: Gender?
    let theme: Theme?
    let avatar: PictureChange
    let givesPhone: Bool
    let phone: String?
    let phoneKey: String?
  }

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments["input"], at: ["input"])
    let avatar = try await form.picture("avatar", context)
    let changes = try changes(&form, avatar, context)
    guard form.errors.isEmpty else { return Payload(errors: form.errors) }
    try await context.write(with: avatar) { transaction in try update(viewer.member, changes, transaction) }
    return Payload(["account": [viewer.member.viewed(as: .account)]])
  }

  private static func changes(
    _ form: inout InputForm,
    _ avatar: PictureChange,
    _ context: RequestContext
  ) throws -> Changes {
    let required = context.services.configuration.registrationRequires
    if form.gives("dateOfBirth") && form["dateOfBirth"] == nil && required.contains("dateOfBirth") {
      form.refuse("dateOfBirth", code: .blank, "A date of birth is needed.")
    }
    let names = PersonName.Changes(&form)
    let phone = form.accountPhone(required: form.gives("phone") && required.contains("phone"))
    return Changes(
      names: names,
      givesDateOfBirth: form.gives("dateOfBirth"),
      dateOfBirth: form.birthday("dateOfBirth", today: try context.today()),
      gender: form.change("gender", default: .unspecified),
      theme: form.change("theme", default: .sunrise),
      avatar: avatar,
      givesPhone: form.gives("phone"),
      phone: phone,
      phoneKey: phone.flatMap { PhoneNumber($0, region: context.services.configuration.phoneRegion)?.e164 }
    )
  }

  private static func update(_ person: GlobalID, _ changes: Changes, _ transaction: WriteTransaction) throws {
    let reading = try transaction.statement(names)
    try reading.bind(1, person.rawValue)
    let known = try reading.first { row in
      PersonName(
        full: row.string(0),
        first: row.string(1),
        middle: row.optionalString(2),
        last: row.optionalString(3)
      )
    }
    guard let known else { return }
    let name = changes.names.applied(to: known)
    let statement = try transaction.statement(updatePerson)
    try statement.bind(1, person.rawValue)
    try statement.bind(2, name.full)
    try statement.bind(3, name.first)
    try statement.bind(4, name.middle)
    try statement.bind(5, name.last)
    try statement.bind(6, changes.givesDateOfBirth)
    try statement.bind(7, changes.dateOfBirth)
    try statement.bind(8, changes.gender?.stored)
    try statement.bind(9, changes.theme?.stored)
    try statement.bind(10, changes.avatar.isGiven)
    try statement.bind(11, try changes.avatar.number(transaction))
    try statement.bind(12, NameOrder.key(of: name.full))
    try statement.run()
    if name.full != known.full {
      for list in [reorderContacts, reorderGroups] {
        let reordering = try transaction.statement(list)
        try reordering.bind(1, person.rawValue)
        try reordering.bind(2, NameOrder.key(of: name.full))
        try reordering.run()
      }
      try SearchIndex.update(person, transaction)
    }
    guard changes.givesPhone else { return }
    let phones = try transaction.statement(updatePhone)
    try phones.bind(1, person.rawValue)
    try phones.bind(2, changes.phone)
    try phones.bind(3, changes.phoneKey)
    try phones.run()
  }
}
