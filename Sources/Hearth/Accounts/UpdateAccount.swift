import GraphQL
import Storage

/// `updateAccount`: an adult changes their own properties.
enum UpdateAccount {
  static let names = SQL<GlobalID>(
    "SELECT name, first_name, middle_name, last_name FROM person WHERE id = \(\.self)"
  )
  static let updatePerson: PatchStatement<Person, GlobalID> = Person.table.update(
    [
      \.name, \.firstName, \.middleName, \.lastName, \.nameKey, \.dateOfBirth, \.gender, \.theme, \.avatar,
    ],
    where: "id = \(\.self)"
  )
  static let updateAccount: PatchStatement<Account, GlobalID> = Account.table.update(
    [\.phone, \.phoneKey, \.locale, \.hidesEmail],
    where: "id = \(\.self)"
  )

  private struct Changes: Sendable {
    let names: PersonName.Changes
    /// Everything except the name and the picture.
    let person: RowPatch<Person>
    let avatar: PictureChange
    let account: RowPatch<Account>
    /// Whether the e-mail address is not hidden any more, or was not before.
    let showsEmail: Bool
  }

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments["input"], at: ["input"])
    let avatar = try await form.picture("avatar", in: context)
    let today = try await context.inPasses { try context.today() }
    let changes = changes(&form, today: today, avatar: avatar, in: context)
    guard form.errors.isEmpty else { return Payload(errors: form.errors) }
    try await context.write(as: viewer, with: avatar) { write in
      try update(viewer.member, changes: changes, in: write.transaction)
      if changes.showsEmail {
        try ContactInvitation.deliver(to: viewer.member, in: write.dated)
      }
      write.record(.parentChanged, subject: viewer.member)
      write.dated.recordChange(ofAccount: viewer.member)
    }
    return Payload(["account": [viewer.member.viewed(as: .account)]])
  }

  private static func changes(
    _ form: inout InputForm,
    today: String,
    avatar: PictureChange,
    in context: RequestContext
  ) -> Changes {
    let required = context.configuration.registrationRequires
    if form.gives("dateOfBirth") && form["dateOfBirth"] == nil && required.contains("dateOfBirth") {
      form.reject("dateOfBirth", code: .blank, message: "A date of birth is required.")
    }
    let names = PersonName.Changes(&form)
    let phone = form.accountPhone(required: form.gives("phone") && required.contains("phone"))
    let phoneKey = phone.flatMap { PhoneNumber($0, region: context.configuration.phoneRegion)?.e164 }
    let birthday = form.birthday("dateOfBirth", today: today)
    var person = RowPatch<Person>()
    person.apply(form.patch("dateOfBirth", value: birthday), to: \.dateOfBirth)
    person.set(\.gender, to: form.change("gender", default: .unspecified))
    person.set(\.theme, to: form.change("theme", default: .sunrise))
    var account = RowPatch<Account>()
    account.apply(form.patch("phone", value: phone), to: \.phone)
    account.apply(form.patch("phone", value: phoneKey), to: \.phoneKey)
    account.apply(form.patch("locale", value: form.locale("locale")), to: \.locale)
    let hidesEmail = form["hidesEmail"]?.boolean
    account.set(\.hidesEmail, to: hidesEmail)
    return Changes(names: names, person: person, avatar: avatar, account: account, showsEmail: hidesEmail == false)
  }

  private static func update(_ person: GlobalID, changes: Changes, in transaction: WriteTransaction) throws {
    let known = try transaction.reader.first(of: names, person) { row in
      PersonName(
        full: row.string(0),
        first: row.string(1),
        middle: row.optionalString(2),
        last: row.optionalString(3)
      )
    }
    guard let known else { return }
    let name = changes.names.applied(to: known)
    let nameKey = NameOrder.key(of: name.full)
    var row = changes.person
    row.set(\.name, to: name.full)
    row.set(\.firstName, to: name.first)
    row.apply(Patch(name.middle), to: \.middleName)
    row.apply(Patch(name.last), to: \.lastName)
    row.set(\.nameKey, to: nameKey)
    row.apply(try changes.avatar.patch(transaction), to: \.avatar)
    try transaction.run(updatePerson, patch: row, parameters: person)
    if !changes.account.isEmpty { try transaction.run(updateAccount, patch: changes.account, parameters: person) }
    guard name.full != known.full else { return }
    try transaction.run(ContactBook.reorder, (person: person, nameKey: nameKey))
    try transaction.run(Membership.reorder, (person: person, nameKey: nameKey))
    try SearchIndex.update(person, in: transaction)
  }
}
