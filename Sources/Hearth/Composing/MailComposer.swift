import Bytes
import Crypto
import Foundation
import Storage

/// Composes mails: reads the current data of the mail's subject, issues its token, and fills in its template.
struct MailComposer: Sendable {
  let links: MailLinks
  /// Links to pages that are always the server's own.
  let serverLinks: MailLinks
  let sender: Mailbox
  /// What mails call the app.
  let appName: String
  let templates: MailTemplates
  /// The language of people who have chosen none.
  let defaultLanguage: MailLanguage
  /// The key for message identifiers and for the tokens that stop invitations: every attempt to send a mail has the
  /// same ones.
  let key: [UInt8]
  let limits: RateLimits

  /// Returns nil when the mail is not needed any more, for example because no account has the address, the child was
  /// removed, or the address is verified already. Also when visitors have requested too many mails to reset a password
  /// for the mailbox, or when the recipient of an invitation has stopped them. Only here: all that the inviter can see
  /// is then the same as for any other address.
  func compose(_ mail: QueuedMail, in write: DatedWrite) throws -> MailMessage? {
    switch mail.kind {
    case .emailVerification: return try emailVerification(mail, in: write)
    case .passwordReset: return try passwordReset(mail, in: write)
    case .childAdded: return try childAdded(mail, from: write.reader)
    case .familyInvitation: return try familyInvitation(mail, in: write)
    case .contactInvitation: return try contactInvitation(mail, from: write.reader)
    case .parentRemovalRequested:
      guard let person = try person(mail, from: write.reader),
        let removal = try removal(mail.subject, of: person.family, language: person.language, from: write.reader)
      else { return nil }
      // An address that is not verified may belong to a stranger, who learns no name of a parent.
      return message(mail, to: person, values: person.isVerified ? removal : removal.filter { !$0.key.isName })
    case .parentRemoved, .parentLeft:
      guard let person = try person(mail, from: write.reader) else { return nil }
      return message(mail, to: person)
    case .identityLinked:
      // Until the address is verified, the account may not be its owner's, and a new password unlinks all identities.
      guard let person = try person(mail, from: write.reader), person.isVerified else { return nil }
      return message(mail, to: person)
    case .accountDeletion:
      guard let (person, day) = try formerPerson(mail, from: write.reader) else { return nil }
      return message(mail, to: person, values: [.day: person.language.text(of: day)])
    case .emailChange: return try emailChange(mail, in: write)
    case .emailChanged:
      guard let address = mail.address, let person = try person(mail, from: write.reader) else { return nil }
      return message(mail, to: person.with(email: address))
    case .childDeletion:
      guard let person = try person(mail, from: write.reader), let child = mail.subject,
        let (name, day) = try deletedChild(child, of: person.family, from: write.reader)
      else { return nil }
      var values = [MailPlaceholder.day: person.language.text(of: day)]
      if person.isVerified { values[.child] = name }
      return message(mail, to: person, values: values)
    case .test, nil: return nil
    }
  }

  // MARK: Mails with a token

  private func emailVerification(_ mail: QueuedMail, in write: DatedWrite) throws -> MailMessage? {
    guard let person = try person(mail, from: write.reader), !person.isVerified else { return nil }
    let token = try OneTimeToken.issue(.emailVerification, for: person.person, emailKey: person.emailKey, in: write)
    return message(mail, to: person, link: .verifyEmail, token: token.text)
  }

  /// The mailbox's limit is for mails that visitors request, who name only an address. A mail that an operator sends
  /// has the person too.
  private func passwordReset(_ mail: QueuedMail, in write: DatedWrite) throws -> MailMessage? {
    guard let address = mail.address, let person = try person(withEmail: address, at: write.now, from: write.reader),
      try mail.person != nil || mail.attempts > 0 || allowsReset(person, in: write)
    else { return nil }
    let token = try OneTimeToken.issue(.passwordReset, for: person.person, in: write)
    return message(mail, to: person, link: .resetPassword, token: token.text)
  }

  private func emailChange(_ mail: QueuedMail, in write: DatedWrite) throws -> MailMessage? {
    guard let address = mail.address, let person = try person(mail, from: write.reader),
      let change = try EmailChange.find(of: person.person, from: write.reader), change.email == address
    else { return nil }
    let token = try OneTimeToken.issue(.emailChange, for: person.person, emailKey: change.emailKey, in: write)
    return message(mail, to: person.with(email: address), link: .confirmEmail, token: token.text)
  }

  private func familyInvitation(_ mail: QueuedMail, in write: DatedWrite) throws -> MailMessage? {
    guard let address = mail.address, let inviter = try person(mail, from: write.reader),
      let invitation = try invitation(mail, in: write.transaction), inviter.family == invitation.family,
      let name = try name(ofFamily: invitation.family, from: write.reader)
    else { return nil }
    let token = try OneTimeToken.issue(.familyInvitation, for: invitation.key, in: write)
    try FamilyInvitationRow.setExpiry(of: invitation, to: token.expiresAt, in: write)
    let stop = StopToken(address: address, key: key)
    // After the expiry, which the inviter can see.
    guard try !write.reader.hasRow(StoppedAddress.ofHash, stop.hash) else { return nil }
    let language = try language(ofAddress: address, invitedBy: inviter, from: write.reader)
    let values = [
      MailPlaceholder.inviter: inviter.name, .family: name, .code: token.text,
      .link: links.text(.acceptInvitation, token: token.text, in: language),
    ]
    return invitationMessage(mail, to: address, stop: stop, values: values, in: language)
  }

  // MARK: Other mails

  private func contactInvitation(_ mail: QueuedMail, from reader: Reader) throws -> MailMessage? {
    guard let address = mail.address, let inviter = try person(mail, from: reader), let request = mail.subject,
      try isWaiting(request, from: reader)
    else { return nil }
    let stop = StopToken(address: address, key: key)
    guard try !reader.hasRow(StoppedAddress.ofHash, stop.hash) else { return nil }
    let language = try language(ofAddress: address, invitedBy: inviter, from: reader)
    let values = [MailPlaceholder.inviter: inviter.name, .link: links.text(.register, in: language)]
    return invitationMessage(mail, to: address, stop: stop, values: values, in: language)
  }

  /// A mail to an address that may not have an account, with the link by which its owner stops further ones.
  private func invitationMessage(
    _ mail: QueuedMail,
    to address: String,
    stop: StopToken,
    values: [MailPlaceholder: String],
    in language: MailLanguage
  ) -> MailMessage? {
    let link = serverLinks.text(.stopInvitations, token: stop.text, in: language)
    let values = values.merging([.stop: link]) { $1 }
    let recipient = Mailbox(name: nil, address: address)
    guard var invitation = message(mail, to: recipient, values: values, in: language) else { return nil }
    // The header requires HTTPS, and is ASCII.
    if link.hasPrefix("https://"), link.utf8.allSatisfy({ $0 < 0x80 }) { invitation.unsubscribe = link }
    return invitation
  }

  private func childAdded(_ mail: QueuedMail, from reader: Reader) throws -> MailMessage? {
    guard let person = try person(mail, from: reader), let child = mail.subject,
      let (name, username) = try self.child(child, of: person.family, from: reader)
    else { return nil }
    // An address that is not verified may belong to a stranger, who learns nothing about the child.
    guard person.isVerified else { return message(mail, to: person) }
    var values = [MailPlaceholder.child: name]
    // A username that would be altered is left out. The parent has chosen it and knows it.
    if SafeName.text(username) == username { values[.username] = username }
    return message(mail, to: person, values: values)
  }

  /// A mail outside of the queue, by which an operator tries the mail server.
  func testMessage(to address: EmailAddress, at now: Int64, from reader: Reader) throws -> MailMessage {
    let locale = try reader.first(of: Self.locale, address.key) { row in row.optionalString(0) } ?? nil
    let language = locale.flatMap { MailLanguage(locale: $0) } ?? defaultLanguage
    return MailMessage(
      identifier: Secrets.random(16).hexadecimal,
      date: now,
      from: sender,
      to: Mailbox(name: nil, address: address.text),
      content: templates.content(of: .test, values: [.app: appName], in: language)
    )
  }

  /// The language of the account with the address, if there is one, or else of the inviter.
  private func language(
    ofAddress address: String,
    invitedBy inviter: Addressee,
    from reader: Reader
  ) throws -> MailLanguage {
    let key = EmailAddress.key(of: address)
    let locale = try reader.first(of: Self.locale, key) { row in row.optionalString(0) } ?? nil
    return locale.flatMap { MailLanguage(locale: $0) } ?? inviter.language
  }

  private func message(
    _ mail: QueuedMail,
    to person: Addressee,
    link page: AccountPage,
    token: String
  ) -> MailMessage? {
    let values = [MailPlaceholder.link: links.text(page, token: token, in: person.language), .code: token]
    return message(mail, to: person, values: values)
  }

  private func message(
    _ mail: QueuedMail,
    to person: Addressee,
    values: [MailPlaceholder: String] = [:]
  ) -> MailMessage? {
    let values = values.merging([.firstName: person.firstName]) { $1 }
    let recipient = Mailbox(name: SafeName.text(person.name), address: person.email)
    return message(mail, to: recipient, values: values, in: person.language)
  }

  /// Nil if the kind of the mail is unknown.
  ///
  /// - Parameter values: names as users have chosen them.
  private func message(
    _ mail: QueuedMail,
    to recipient: Mailbox,
    values: [MailPlaceholder: String],
    in language: MailLanguage
  ) -> MailMessage? {
    guard let kind = mail.kind else { return nil }
    var values = values
    for placeholder in MailPlaceholder.allCases where placeholder.isName {
      values[placeholder] = values[placeholder].flatMap(SafeName.text)
    }
    values[.app] = appName
    let code = HMAC<SHA256>.authenticationCode(for: Data("mail \(mail.id)".utf8), using: SymmetricKey(data: key))
    return MailMessage(
      identifier: code.prefix(16).hexadecimal,
      date: mail.createdAt,
      from: sender,
      to: recipient,
      content: templates.content(of: kind, values: values, in: language)
    )
  }

  private func allowsReset(_ person: Addressee, in write: DatedWrite) throws -> Bool {
    let mailbox = EmailAddress(person.email)?.mailboxKey ?? person.emailKey
    let caller = RateLimits.Caller(subject: .mailbox(mailbox))
    return try limits.takeShared(.resetMail, by: caller, in: write) == nil
  }
}
