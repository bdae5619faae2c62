import EventLoop
import GraphQL
import Storage

/// `signIn` and `signInChild`. Unknown names and wrong passwords cause the same response after the same work.
enum SigningIn {
  static let byEmail = SQL<String>(
    """
    SELECT p.id, p.family_id, a.password_hash, p.deactivated_at \
    FROM account AS a JOIN person AS p ON p.id = a.id WHERE a.email_key = \(\.self)
    """
  )
  static let childByUsername = SQL<String>("SELECT id, family_id FROM child WHERE username_key = \(\.self)")
  static let passwordsOfFamily = SQL<GlobalID>(
    """
    SELECT a.password_hash, a.id FROM person AS p JOIN account AS a ON a.id = p.id \
    WHERE p.family_id = \(\.self) AND p.deactivated_at IS NULL AND a.password_hash IS NOT NULL
    """
  )

  /// The number of hashes that are compared for a child at least, whether or not it exists, and however many parents it
  /// has.
  private static let usualParents = 2

  /// The hash of a password, and the adult who has it.
  private struct Password: Sendable {
    let hash: String
    let adult: GlobalID
  }

  private struct Candidate: Sendable {
    let member: GlobalID
    let family: GlobalID
    let passwords: [Password]
    /// In milliseconds. Nil for an active account and for a child.
    var deactivatedAt: Int64?
  }

  static let signIn = FieldBinding.mutation { arguments, context in
    let input = arguments["input"]
    let email = EmailAddress.key(of: InputForm.normalizedLine(input?["email"]?.string, maximum: 254))
    let candidate = try await context.read { reader in
      try reader.first(of: byEmail, email) { row in
        let person = row.key(0)
        return Candidate(
          member: person,
          family: row.key(1),
          passwords: row.optionalString(2).map { [Password(hash: $0, adult: person)] } ?? [],
          deactivatedAt: row.optionalInt64(3)
        )
      }
    }
    return try await signIn(
      candidate,
      input: input,
      named: .typed("email \(email)"),
      passwords: 1,
      isRemembered: input?["rememberMe"]?.boolean ?? true,
      wrong: "The e-mail address or the password is wrong.",
      in: context
    )
  }

  static let signInChild = FieldBinding.mutation { arguments, context in
    let input = arguments["input"]
    let username = InputForm.normalizedLine(input?["username"]?.string).lowercased()
    let candidate = try await context.read { reader in
      let child = try reader.first(of: childByUsername, username) { row in
        (member: row.key(0), family: row.key(1))
      }
      return try child.map { child in
        let known = try passwords(of: child.member, in: child.family, from: reader)
        return Candidate(member: child.member, family: child.family, passwords: known)
      }
    }
    return try await signIn(
      candidate,
      input: input,
      named: .typed("username \(username)"),
      passwords: usualParents,
      isRemembered: true,
      wrong: "The username or the password is wrong.",
      in: context
    )
  }

  private static func signIn(
    _ candidate: Candidate?,
    input: InputValue?,
    named name: LimitedSubject,
    passwords count: Int,
    isRemembered: Bool,
    wrong: UserError.Message,
    in context: RequestContext
  ) async throws -> Payload {
    let match = try await context.match(
      input?["password"]?.string ?? "",
      among: candidate?.passwords.map(\.hash) ?? [],
      atLeast: count,
      for: .signIn,
      of: name
    )
    guard let match, let candidate else {
      return Payload(errors: [UserError(field: ["input"], code: .wrongCredentials, message: wrong)])
    }
    // Reported only to those who know the password. To others the account behaves as if the password were wrong.
    let reactivates = input?["reactivate"]?.boolean ?? false
    let deactivated = AccountReturn.error(deactivatedAt: candidate.deactivatedAt, at: context.now)
    guard candidate.deactivatedAt == nil || reactivates else { return Payload(errors: [deactivated]) }
    var form = InputForm(input, at: ["input"])
    let device = form.line("device", subject: "A device's name", required: false)
    guard form.errors.isEmpty else { return Payload(errors: form.errors) }
    let services = context.services
    let begun = try await context.write { write in
      try begin(
        for: candidate,
        knowing: match,
        device: device,
        isRemembered: isRemembered,
        wrong: wrong,
        deactivated: deactivated,
        services: services,
        in: write
      )
    }
    return try await Sessions.credentials(for: begun, in: context)
  }

  /// Begins a session. While the password was being checked, the member may have been deactivated, removed or moved to
  /// another family, or may have changed the password.
  ///
  /// - Parameters:
  ///   - match: The hash of the password.
  ///   - wrong: The message for those whose password is no longer valid.
  ///   - deactivated: The error if the person, or all parents of a child, are deactivated.
  private static func begin(
    for candidate: Candidate,
    knowing match: String,
    device: String?,
    isRemembered: Bool,
    wrong: UserError.Message,
    deactivated: UserError,
    services: Services,
    in write: DatedWrite
  ) throws -> Sessions.Begun {
    if candidate.deactivatedAt != nil {
      let member = candidate.member
      _ = try AccountReturn.reactivate(member, by: member, services: services, in: write)
    }
    guard let family = try family(of: candidate, wrong: wrong, from: write.reader) else {
      throw RejectedInput([deactivated])
    }
    let current = try passwords(of: candidate.member, in: family, from: write.reader)
    guard let matching = current.first(where: { $0.hash == match }) else {
      throw RejectedInput(["input"], code: .wrongCredentials, message: wrong)
    }
    return try Sessions.begin(
      member: candidate.member,
      family: family,
      device: device,
      origin: Sessions.Origin(.password, by: matching.adult),
      isRemembered: isRemembered,
      services: services,
      in: write
    )
  }

  /// The passwords that a member can sign in with: their own, or those of a child's parents.
  private static func passwords(of member: GlobalID, in family: GlobalID, from reader: Reader) throws -> [Password] {
    guard member.kind == .child else {
      return try StoredPassword.hash(of: member, from: reader).map { [Password(hash: $0, adult: member)] } ?? []
    }
    return try reader.all(of: passwordsOfFamily, family) { row in
      Password(hash: row.string(0), adult: row.key(1))
    }
  }

  /// Returns nil if the person, or all parents of a child, are deactivated. Throws `wrong` for a removed child.
  private static func family(
    of candidate: Candidate,
    wrong: UserError.Message,
    from reader: Reader
  ) throws -> GlobalID? {
    if candidate.member.kind == .child {
      guard try FamilyMember.exists(candidate.member, of: candidate.family, from: reader) else {
        throw RejectedInput(["input"], code: .wrongCredentials, message: wrong)
      }
      let hasParent = try FamilyMember.hasParent(of: candidate.family, from: reader)
      return hasParent ? candidate.family : nil
    }
    return try FamilyMember.family(of: candidate.member, from: reader)
  }
}
