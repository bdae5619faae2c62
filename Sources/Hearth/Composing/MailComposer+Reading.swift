import Storage

/// What mails are about, as it is when they are sent.
extension MailComposer {
  struct Addressee {
    /// The columns of a person as `p`, and of their account as `a`.
    static let columns =
      "p.id, p.name, p.first_name, a.email, a.email_key, a.email_verified, p.family_id, a.locale"

    let person: GlobalID
    let family: GlobalID
    let name: String
    let firstName: String
    private(set) var email: String
    let emailKey: String
    let isVerified: Bool
    let language: MailLanguage

    /// - Parameter row: begins with `columns`.
    init(_ row: Row, defaultLanguage: MailLanguage) {
      person = row.key(0)
      name = row.string(1)
      firstName = row.string(2)
      email = row.string(3)
      emailKey = row.string(4)
      isVerified = row.bool(5)
      family = row.key(6)
      language = row.optionalString(7).flatMap { MailLanguage(locale: $0) } ?? defaultLanguage
    }

    /// The same person with another address.
    func with(email: String) -> Addressee {
      var person = self
      person.email = email
      return person
    }
  }

  /// A person whose account is to be erased, and the day, in the family's time zone.
  func formerPerson(_ mail: QueuedMail, from reader: Reader) throws -> (person: Addressee, day: Day)? {
    guard let person = mail.person else { return nil }
    return try reader.first(of: Self.byFormerPerson, person) { row in
      row.optionalInt64(8).map {
        (person: Addressee(row, defaultLanguage: defaultLanguage), day: WallClock(row.string(9)).day(at: $0))
      }
    } ?? nil
  }

  /// The name of a child that is to be erased, and the day, in the family's time zone.
  func deletedChild(_ child: GlobalID, of family: GlobalID, from reader: Reader) throws -> (name: String, day: Day)? {
    try reader.first(of: Self.deletedChild, (family: family, child: child)) { row in
      (row.string(0), WallClock(row.string(2)).day(at: row.int64(1)))
    }
  }

  func person(_ mail: QueuedMail, from reader: Reader) throws -> Addressee? {
    guard let person = mail.person else { return nil }
    return try reader.first(of: Self.byPerson, person) { row in
      Addressee(row, defaultLanguage: defaultLanguage)
    }
  }

  /// The person who can set a new password with a mail to the address.
  func person(withEmail address: String, at now: Timestamp, from reader: Reader) throws -> Addressee? {
    let parameters = (email: EmailAddress.key(of: address), since: now - AccountReturn.period)
    return try reader.first(of: Self.byEmail, parameters) { row in
      Addressee(row, defaultLanguage: defaultLanguage)
    }
  }

  func child(_ child: GlobalID, of family: GlobalID, from reader: Reader) throws -> (name: String, username: String)? {
    try reader.first(of: Self.childOfFamily, (family: family, child: child)) { row in
      (row.string(0), row.string(1))
    }
  }

  /// The invitation of the mail, if it is still open. A mail that was queued before invitations had rows names the
  /// family; its invitation is then created here.
  func invitation(_ mail: QueuedMail, in transaction: WriteTransaction) throws -> FamilyInvitationRow.Found? {
    guard let subject = mail.subject, subject.kind == .family else {
      return try FamilyInvitationRow.find(mail.subject, from: transaction.reader)
    }
    guard let address = mail.address.flatMap(EmailAddress.init) else { return nil }
    let known = try FamilyInvitationRow.invitation(to: address, of: subject, from: transaction.reader)
    let write = DatedWrite(at: Timestamp(mail.createdAt), in: transaction).inFamily(subject)
    let key = try known ?? FamilyInvitationRow.insert(to: address, by: mail.person, in: write)
    return try FamilyInvitationRow.find(key, from: transaction.reader)
  }

  func removal(
    _ removal: GlobalID?,
    of family: GlobalID,
    language: MailLanguage,
    from reader: Reader
  ) throws -> [MailPlaceholder: String]? {
    try reader.first(of: Self.removalOfFamily, (family: family, removal: removal)) { row in
      [
        .parent: row.string(0), .requestedBy: row.string(1),
        .day: language.text(of: WallClock(row.string(3)).day(at: row.int64(2))),
      ]
    }
  }

  func isWaiting(_ request: GlobalID, from reader: Reader) throws -> Bool {
    try reader.hasRow(Self.isWaiting, request)
  }

  func name(ofFamily family: GlobalID, from reader: Reader) throws -> String? {
    try reader.first(of: Self.familyName, family) { row in row.string(0) }
  }
}
