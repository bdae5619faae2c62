import Storage

/// The contact book's rows.
extension Seeder {
  struct Profile: Sendable {
    var currentCity: String?
    var hometown: String?
    var company: String?
    var highSchool: String?
    var college: String?
  }

  func profile(of person: GlobalID, _ profile: Profile) throws {
    var row = RowPatch<Person>()
    row.apply(Patch(profile.currentCity), to: \.currentCity)
    row.apply(Patch(profile.hometown), to: \.hometown)
    row.apply(Patch(profile.company), to: \.company)
    row.apply(Patch(profile.highSchool), to: \.highSchools)
    row.apply(Patch(profile.college), to: \.colleges)
    try transaction.run(UpdateProfile.update, patch: row, parameters: person)
  }

  func contactInfo(
    of person: GlobalID,
    scope: Scope,
    content: ContactInfoForm.Content,
    label: String? = nil
  ) throws {
    let info = ContactInfo(
      content,
      id: try KeySequence.next(.contactInfo, in: transaction),
      of: person,
      scope: scope,
      label: label,
      isPrimary: false
    )
    try ContactInfo.insert(info, in: transaction)
  }

  func email(_ text: String, of person: GlobalID, _ scope: Scope, label: String? = nil) throws {
    guard let address = EmailAddress(text) else { return }
    try contactInfo(of: person, scope: scope, content: .email(address), label: label)
  }

  func phone(_ text: String, of person: GlobalID, _ scope: Scope, label: String? = nil) throws {
    guard let number = PhoneNumber(text, region: "US") else { return }
    try contactInfo(of: person, scope: scope, content: .phone(number), label: label)
  }

  func group(_ content: PersonGroup.Content, of admin: GlobalID, members: [GlobalID]) throws -> GlobalID {
    let group = try PersonGroup.insert(content, by: admin, in: write)
    try Membership.insert(admin, as: .admin, of: group, in: write)
    for member in members { try Membership.insert(member, as: .member, of: group, in: write) }
    return group
  }

  /// Invites a person to a group and notifies them.
  func invite(_ person: GlobalID, to group: GlobalID, by inviter: GlobalID) throws {
    try Membership.invite(person, to: group, by: inviter, in: write)
  }

  /// Adds a read notification of what `actor` did.
  func readNotification(_ kind: Kind, for person: GlobalID, by actor: GlobalID) throws {
    try Notifications.notify(person, kind: kind, by: actor, in: write)
    try transaction.writeCollected()
    guard let newest = try MarkNotificationsRead.newest(of: person, from: transaction.reader) else { return }
    try transaction.run(
      MarkNotificationsRead.markNamed,
      (recipient: person, notifications: [newest.rawValue], now: write.now)
    )
  }

  /// Makes two people contacts of each other.
  func contact(_ one: GlobalID, sharing: [Scope], _ other: GlobalID, sharing theirs: [Scope]) throws {
    _ = try ContactBook.connect(
      ContactBook.Side(person: one, sharing: Scopes(sharing)),
      with: ContactBook.Side(person: other, sharing: Scopes(theirs)),
      field: [],
      in: write
    )
  }

  func contactRequest(from one: GlobalID, to other: GlobalID, offering scopes: [Scope], message: String?) throws {
    let request = ContactRequest.NewRequest(
      from: one,
      offered: Scopes(scopes),
      requested: Scopes(bits: 0),
      message: message
    )
    _ = try RequestContact.send(request, to: other, field: [], RateLimits(), in: write)
  }
}
