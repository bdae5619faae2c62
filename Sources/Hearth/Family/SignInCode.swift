import GraphQL
import Storage

/// A code that a parent shows and a child's device scans: `Child.signInCode` creates one, and `signInWithCode` redeems
/// it. A child has at most one code. A new one replaces the previous one.
struct SignInCode: Sendable {
  let token: String
  let url: String
  /// In milliseconds.
  let expiresAt: Int64
  let svg: String

  static let binding = ObjectBinding(fields: [
    "token": .property { (code: SignInCode) in .string(code.token) },
    "url": .property { (code: SignInCode) in .string(code.url) },
    "expiresAt": .property { (code: SignInCode) in .int(code.expiresAt) },
    "svg": .property { (code: SignInCode) in .string(code.svg) },
  ])

  /// Bounds the cost: drawing a code for a URL of 83 characters took 0.24 ms.
  static let maximumAtOnce = 20

  /// A field of a query that writes: each request creates new codes, and all codes of a batch are created in one write.
  /// Selecting the field several times returns the same code, so that no code is replaced before the response is sent.
  static let field = FieldBinding.asyncLoad(needs: []) { batch, context in
    let context = request(context)
    let viewer = try context.requireParent()
    guard batch.count <= maximumAtOnce else {
      throw FieldError("A request can create sign-in codes for at most \(maximumAtOnce) children.", code: .badUserInput)
    }
    let keys = batch.keys.map(GlobalID.init(rawValue:))
    let new = keys.filter { context.signInCode(of: $0) == nil }
    context.idempotentRun?.hasSecrets = true
    if !new.isEmpty {
      // A code is redeemed once, without a session: this also limits how often it begins a session.
      try context.takeMutations(new.count)
      let tokens = try await context.write { write in
        try new.map { child in try issue(for: child, by: viewer, in: write) }
      }
      for (child, token) in zip(new, tokens) {
        guard let token else { continue }
        let url = "\(context.baseURL)/sign-in?code=\(token.text)"
        guard let drawing = QRCode(of: url) else { throw QRCode.NotDrawn() }
        context.valuesByKey[child] = SignInCode(
          token: token.text,
          url: url,
          expiresAt: token.expiresAt,
          svg: drawing.svg
        )
      }
    }
    for (index, child) in keys.enumerated() {
      if let code = context.signInCode(of: child) { batch.add(index, value: code, of: batch.resultType) }
    }
  }

  /// Deletes the open code, and codes that expired long ago.
  static let deletePrevious = SQL<(child: GlobalID, purpose: Int64, now: Timestamp, longAgo: Timestamp)>(
    """
    DELETE FROM one_time_token WHERE subject_id = \(\.child) AND purpose = \(\.purpose) \
    AND (expires_at > \(\.now) OR expires_at <= \(\.longAgo))
    """
  )

  /// Returns nil for a child that is not in the parent's family or is removed.
  private static func issue(
    for child: GlobalID,
    by parent: Viewer,
    in write: DatedWrite
  ) throws -> (text: String, expiresAt: Int64)? {
    guard try Child.exists(child, of: parent.family, from: write.reader) else { return nil }
    let purpose = OneTimeToken.Purpose.signInCode
    let longAgo = write.now - expiredRetention
    try write.transaction.run(
      deletePrevious,
      (child: child, purpose: purpose.rawValue, now: write.now, longAgo: longAgo)
    )
    return try OneTimeToken.issue(purpose, for: child, of: parent.family, issuer: parent.member, in: write)
  }

  /// How long an expired code is reported as EXPIRED rather than NOT_FOUND, in milliseconds.
  private static let expiredRetention: Int64 = Milliseconds.hour

  // MARK: Signing in

  static let signIn = FieldBinding.mutation(.input(required: ["token"])) { arguments, context in
    var form = InputForm(arguments)
    let device = form.line("device", subject: "A device's name", required: false)
    let token = arguments["token"]?.string ?? ""
    let (services, now) = (context.services, Timestamp(context.now))
    guard form.errors.isEmpty else {
      // Reports all errors at once, without redeeming a valid code.
      do {
        _ = try await context.read { reader in
          try OneTimeToken.grant(for: token, as: .signInCode, at: now, from: reader)
        }
      } catch let rejected as RejectedInput {
        form.reject(rejected.errors)
      }
      return Payload(errors: form.errors)
    }
    let begun = try await context.write { write in
      let grant = try OneTimeToken.redeem(token, as: .signInCode, in: write)
      guard let family = grant.family, try Child.exists(grant.subject, of: family, from: write.reader) else {
        throw RejectedInput(
          ["token"],
          code: .notFound,
          reason: .childRemoved,
          message: "The child of this code was removed."
        )
      }
      return try Sessions.begin(
        member: grant.subject,
        family: family,
        device: device,
        origin: Sessions.Origin(.code, by: grant.issuer),
        services: services,
        in: write
      )
    }
    return try await Sessions.credentials(for: begun, in: context)
  }
}

extension RequestContext {
  /// The code that this request has created for a child.
  fileprivate func signInCode(of child: GlobalID) -> SignInCode? { valuesByKey[child] as? SignInCode }
}
