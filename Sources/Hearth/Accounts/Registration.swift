import Foundation
import GraphQL
import Storage

/// `register`: creates an account with a new family.
enum Registration {
  /// A valid registration.
  struct Applicant: Sendable {
    let email: EmailAddress
    let phone: String?
    let phoneKey: String?
    let name: PersonName
    let dateOfBirth: String?
    let gender: Gender
    /// Whether an identity provider has verified the address.
    var isEmailVerified = false
    var hidesEmail = false
    /// Nil for a name made of the person's.
    var familyName: String?
    /// Nil for the server's.
    var timeZone: String?
    var locale: String?
  }

  static let register = FieldBinding.mutation { arguments, context in
    var form = InputForm(arguments["input"], at: ["input"])
    let applicant = try await applicant(&form, in: context)
    let password = form.newPassword("password", own: applicant.map(WeakPassword.ownTexts) ?? [])
    // By bytes: see `CombiningMarks`.
    if let given = form["password"]?.string, !given.isEmpty,
      let confirmation = form["passwordConfirmation"]?.string, !confirmation.utf8.elementsEqual(given.utf8)
    {
      form.reject("passwordConfirmation", code: .mismatch, message: "The two passwords are not the same.")
    }
    let device = form.line("device", subject: "A device's name", required: false)
    guard form.errors.isEmpty, let applicant, let password else { return Payload(errors: form.errors) }
    let mailbox = LimitedSubject.mailbox(applicant.email.mailboxKey)
    let hash: String
    do {
      hash = try await context.hash(password, for: .registration, of: mailbox)
    } catch {
      // The response asks the caller to try again, which must not count twice.
      await context.giveBack(.registration)
      throw error
    }
    let (services, client) = (context.services, context.client)
    let begun = try await context.write { write in
      guard try !Account.hasEmail(applicant.email, from: write.reader) else {
        throw RejectedInput([Account.emailTaken(["input", "email"])])
      }
      // Counted here rather than before, so that only new accounts count.
      let caller = RateLimits.Caller(network: client, subject: mailbox)
      try services.rateLimits.require(.verificationMail, by: caller, in: write)
      let viewer = try insert(applicant, passwordHash: hash, from: client, services: services, in: write)
      return try Sessions.begin(
        member: viewer.person,
        family: viewer.family,
        device: device,
        origin: Sessions.Origin(.password, by: viewer.person),
        services: services,
        in: write
      )
    }
    return try await Sessions.credentials(for: begun, in: context)
  }

  /// Reports errors to `form`, and returns nil if there are any.
  private static func applicant(_ form: inout InputForm, in context: RequestContext) async throws -> Applicant? {
    let required = context.configuration.registrationRequires
    let email = try await email(&form, in: context)
    let phone = form.accountPhone(required: required.contains("phone"))
    let name = PersonName(&form, isRequired: required.contains("name"), fallback: email?.localPart)
    let timeZone = form.timeZone("timeZone", required: form["timeZone"] != nil)
    let today = WallClock(timeZone ?? context.configuration.timeZone).day(at: context.now).text
    if form["dateOfBirth"] == nil && required.contains("dateOfBirth") {
      form.reject("dateOfBirth", code: .blank, message: "A date of birth is required.")
    }
    let dateOfBirth = form.birthday("dateOfBirth", today: today)
    let familyName = form.line("familyName", subject: "A family's name", required: form["familyName"] != nil)
    let locale = form.locale("locale")
    // Null is like an absent field, whose default is true.
    if form["acceptTerms"]?.boolean == false {
      form.reject("acceptTerms", code: .notAllowed, message: "The terms must be accepted.")
    }
    guard form.errors.isEmpty, let email, let name else { return nil }
    return Applicant(
      email: email,
      phone: phone,
      phoneKey: phone.flatMap { PhoneNumber($0, region: context.configuration.phoneRegion)?.e164 },
      name: name,
      dateOfBirth: dateOfBirth,
      gender: form.choice("gender", default: Gender.unspecified),
      familyName: familyName,
      timeZone: timeZone,
      locale: locale
    )
  }

  private static func email(_ form: inout InputForm, in context: RequestContext) async throws -> EmailAddress? {
    guard let email = form.emailAddress("email") else { return nil }
    // Before the lookup, so that a throttled caller does not learn which addresses have an account.
    try await context.take(.registration)
    // A repeated request finds its own account.
    if context.idempotentRun?.repeatsField != true, try await context.read({ try Account.hasEmail(email, from: $0) }) {
      form.reject([Account.emailTaken(form.path("email"))])
      return nil
    }
    return email
  }

  /// Creates an account, whose address must be free, and its family.
  ///
  /// - Parameters:
  ///   - passwordHash: nil for an account that signs in with an identity provider.
  ///   - isMailed: whether to send a verification mail to an address that is not verified.
  static func insert(
    _ applicant: Applicant,
    passwordHash: String?,
    from client: ClientNetwork?,
    isMailed: Bool = true,
    services: Services,
    in write: DatedWrite
  ) throws -> (person: GlobalID, family: GlobalID) {
    let family = try KeySequence.next(.family, in: write.transaction)
    let person = try KeySequence.next(.person, in: write.transaction)
    let name = applicant.name
    try Family.insert(
      family,
      name: applicant.familyName ?? Family.usualName(ofParent: name.last ?? name.first),
      timeZone: applicant.timeZone ?? services.configuration.timeZone,
      in: write
    )
    let row = Person(
      person,
      in: family,
      name,
      dateOfBirth: applicant.dateOfBirth,
      gender: applicant.gender,
      at: write.now
    )
    try write.transaction.run(Person.table.insert, row)
    let account = Account(
      id: person,
      email: applicant.email.text,
      emailKey: applicant.email.key,
      isEmailVerified: applicant.isEmailVerified,
      hidesEmail: applicant.hidesEmail,
      phone: applicant.phone,
      phoneKey: applicant.phoneKey,
      passwordHash: passwordHash,
      locale: applicant.locale
    )
    try write.transaction.run(Account.table.insert, account)
    try SearchIndex.update(person, in: write.transaction)

    if applicant.isEmailVerified {
      try StoppedAddress.allow(applicant.email.text, key: services.keys.identifier, in: write.transaction)
      try ContactInvitation.deliver(to: person, in: write)
    } else if isMailed {
      let lane = services.mail.lane(network: client, sender: .person(person))
      try services.mail.append(.emailVerification, person: person, lane: lane, in: write)
    }
    return (person, family)
  }
}
