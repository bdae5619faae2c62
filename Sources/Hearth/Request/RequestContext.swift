import EventLoop
import GraphQL
import GraphQLTransport
import Logging
import Storage

/// What one request carries: who asks, the snapshot it reads, and the house's services. Confined to its loop.
package final class RequestContext: ExecutionContext {
  let services: Services
  /// The loop's; that of the slow lane as long as the execution is there. Requests of one loop share it, so it is told
  /// with each use whether this one may become overdue.
  var reader: Reader {
    currentReader.isPatient = staysOnLoop
    return currentReader
  }
  private var currentReader: Reader
  package var staysOnLoop = false
  let types: KindTypes
  /// Who asks. Signing in and out within a request changes it for what follows.
  var viewer: Viewer?
  /// Why the token that came with the request is not good, where one came.
  private let tokenFault: TokenFault?
  /// When the token that came with the request expires.
  private let tokenExpiresAt: Int64?
  /// The host that the client used.
  private let host: ArraySlice<UInt8>?
  /// What came with the request: `InputValue.upload` names them by their places.
  let files: [UploadedFile]
  private let address: String?
  /// Where the request comes from, as far as that is known and matters: for what changes something.
  var client: ClientNetwork? { address.flatMap(ClientNetwork.init) }
  /// The moment of the request: everything in it happens now.
  let now: Int64
  private var knownToday: String?
  /// The pages that this request has found.
  var pages: [Page] = []
  /// How often it has searched.
  var searches = 0
  /// What this request has made once for each key, for features to keep.
  var made: [GlobalID: any Sendable] = [:]
  /// Whether the execution starts off the loop, since the caller's last ones took long.
  package let startsOffLoop: Bool
  package private(set) var isOffLoop = false
  private let slowCallers: SlowCallers
  /// Whether the execution took longer than a loop allows.
  private(set) var hasBeenSlow = false

  init(
    services: Services,
    reader: Reader,
    types: KindTypes,
    viewer: Viewer?,
    tokenFault: TokenFault?,
    tokenExpiresAt: Int64?,
    caller: Caller,
    files: [UploadedFile],
    slowCallers: SlowCallers
  ) {
    self.slowCallers = slowCallers
    self.services = services
    currentReader = reader
    self.types = types
    self.viewer = viewer
    self.tokenFault = tokenFault
    self.tokenExpiresAt = tokenExpiresAt
    host = caller.host
    address = caller.address
    self.files = files
    now = services.clock.now()
    startsOffLoop = slowCallers.contains(viewer?.member, at: now)
  }

  /// A later moment of the same person's: an event of a subscription.
  init(following context: RequestContext, reader: Reader, slowCallers: SlowCallers) {
    self.slowCallers = slowCallers
    services = context.services
    currentReader = reader
    types = context.types
    viewer = context.viewer
    tokenFault = context.tokenFault
    tokenExpiresAt = context.tokenExpiresAt
    host = context.host
    address = context.address
    files = []
    now = services.clock.now()
    startsOffLoop = slowCallers.contains(context.viewer?.member, at: now)
  }

  /// The day that it is where the viewer's family lives. Looked for when it is first asked for.
  func today() throws(DatabaseError) -> String {
    if let knownToday { return knownToday }
    var timeZone: String?
    if let family = viewer?.family {
      timeZone = try FamilyTimeZone.name(of: family, reader)
    }
    let today = WallClock(timeZone ?? services.configuration.timeZone).day(at: now).text
    knownToday = today
    return today
  }

  /// For a connection that outlives the request.
  var standing: Standing {
    Standing(
      session: viewer?.session.rawValue,
      person: viewer?.member.rawValue,
      expiresIn: tokenExpiresAt.map { $0 - now },
      // Without one they can only begin anew, which is no reason to refuse them.
      position: viewer == nil ? nil : (try? FeedPosition.latest(self)).map(text(ofPosition:)),
      fault: viewer == nil ? tokenFault.map { GraphQLError($0.error.message, code: $0.error.code) } : nil
    )
  }

  /// The address under which the server is reached, for urls in answers.
  var baseURL: String {
    services.configuration.publicURL ?? "http://\(host.map { String(decoding: $0, as: UTF8.self) } ?? "localhost")"
  }

  /// What has two subscriptions be answered the same: who asks, and where they see the server, which is in urls.
  var standpoint: AnyHashable { Standpoint(member: viewer?.member, baseURL: baseURL) }

  private struct Standpoint: Hashable {
    let member: GlobalID?
    let baseURL: String
  }

  package func objectType(of key: Int64) -> TypeID? { types[GlobalID(rawValue: key).kind] }

  package func text(ofPosition position: Int64) -> String { services.cipher.text(ofPosition: position) }

  /// A caller whose execution is overdue is remembered now and not when it is finished: requests that came with this
  /// one on other connections are next, and would each take the loop's time in vain.
  package func willSuspend() {
    rememberIfSlow()
    reader.endRead()
  }

  // MARK: Time on the loop

  package var isOverdue: Bool {
    get { currentReader.isOverdue }
    set {
      currentReader.isOverdue = newValue
      if newValue { hasBeenSlow = true }
    }
  }

  package func checkTime() -> Bool { reader.checkTime() }

  /// Has the caller's next requests start off the loop if this one took long.
  func rememberIfSlow() {
    guard hasBeenSlow || isOverdue || searches > SlowCallers.usualSearches, let viewer else { return }
    slowCallers.insert(viewer.member, at: now)
  }

  package func runOffLoop(_ work: @escaping @Sendable () -> Void) async throws(FieldError) {
    hasBeenSlow = true
    // A query begins anew.
    searches = 0
    reader.endRead()
    // The execution, which this context belongs to, waits for the lane and touches nothing meanwhile.
    nonisolated(unsafe) let context = self
    try await services.slowLane.run(for: laneCaller) { laneReader in
      let own = context.currentReader
      context.currentReader = laneReader
      context.isOffLoop = true
      work()
      context.isOffLoop = false
      context.currentReader = own
    }
  }

  private var laneCaller: SlowLane.Caller {
    if let viewer { return .member(viewer.member) }
    return client.map { .network($0) } ?? .unknown
  }

  package func report(_ error: any Error, at field: String) {
    services.log.error("A field could not be resolved.", metadata: ["field": "\(field)", "error": "\(error)"])
  }

  package func fieldError(for error: any Error) -> FieldError? {
    guard let error = error as? DatabaseError, error.code == .budgetExceeded, reader.isExhausted else { return nil }
    return FieldError(
      "One request may not read so much: ask for fewer fields, for shorter pages, or filter by less.",
      code: .readLimitExceeded
    )
  }

  /// Runs `body` on the writer, where the viewer is still who they were when the request came: they may have left, or
  /// moved to another family, while it waited. The snapshot is let go of first: what follows in the request sees what
  /// was written, and what others ask meanwhile on this loop does not see what was before.
  func write<Value: Sendable>(_ body: @escaping @Sendable (WriteTransaction) throws -> Value) async throws -> Value {
    willSuspend()
    do {
      let (pictures, viewer) = (services.pictures, viewer)
      return try await services.database.write { transaction in
        try viewer?.requireUnchanged(transaction)
        let value = try body(transaction)
        try pictures.removeUnused(transaction)
        return value
      }
    } catch let error as DatabaseError {
      throw clientError(for: error)
    }
  }

  /// What the client is told of a write that failed; the error itself where it is an internal one.
  private func clientError(for error: DatabaseError) -> any Error {
    switch error.code {
    case .overloaded:
      return FieldError("Too much is being written at this moment: try again in a few seconds.", code: .overloaded)
    case .full, .inputOutput, .moved:
      services.log.error("A write could not be stored.", metadata: ["error": "\(error)"])
      return FieldError(
        "The server cannot store anything at this moment. Nothing was changed: try again later.",
        code: .storageUnavailable
      )
    default: return error
    }
  }

  /// The same for a write that gives something a picture, whose file is on the disk before it runs, and stays only if
  /// it comes to pass.
  func write<Value: Sendable>(
    with picture: PictureChange,
    _ body: @escaping @Sendable (WriteTransaction) throws -> Value
  ) async throws -> Value {
    guard case .chosen(let picture) = picture else { return try await write(body) }
    willSuspend()
    do {
      return try await services.pictures.holding(picture, of: services.database) { try await write(body) }
    } catch is WorkerPool.Overloaded {
      throw FieldError("Too many pictures are being stored: try again in a few seconds.", code: .overloaded)
    }
  }

  // MARK: Rights

  /// The viewer, or the error that says that nobody is signed in, and why.
  func requireViewer() throws(FieldError) -> Viewer {
    if let viewer { return viewer }
    throw (tokenFault ?? .missing).error
  }

  /// The viewer, where they are a parent.
  func requireParent() throws(FieldError) -> Viewer {
    let viewer = try requireViewer()
    guard !viewer.isChild else {
      throw FieldError("Only a parent may do this.", code: .forbidden)
    }
    return viewer
  }

  /// The error that a bad token is, for fields that do without one but not with a bad one.
  func checkToken() throws(FieldError) {
    if viewer == nil, let tokenFault { throw tokenFault.error }
  }
}

/// Why nobody is signed in.
enum TokenFault: Sendable {
  case missing, malformed, expired, revoked

  var error: FieldError {
    switch self {
    case .missing: FieldError("Nobody is signed in: send an access token.", code: .unauthenticated)
    case .malformed: FieldError("The access token is not one of ours.", code: .tokenMalformed)
    case .expired: FieldError("The access token has expired: refresh the session.", code: .tokenExpired)
    case .revoked: FieldError("The session of this access token has ended: sign in again.", code: .tokenRevoked)
    }
  }
}

extension ErrorCode {
  static let tokenMalformed = ErrorCode(rawValue: "TOKEN_MALFORMED")
  static let tokenExpired = ErrorCode(rawValue: "TOKEN_EXPIRED")
  static let tokenRevoked = ErrorCode(rawValue: "TOKEN_REVOKED")
  static let forbidden = ErrorCode(rawValue: "FORBIDDEN")
  static let overloaded = ErrorCode(rawValue: "OVERLOADED")
  /// A query reads more than `DatabaseLimits.readSteps`.
  static let readLimitExceeded = ErrorCode(rawValue: "READ_LIMIT_EXCEEDED")
  /// The disk is full or fails, or the database file is not in its place.
  static let storageUnavailable = ErrorCode(rawValue: "STORAGE_UNAVAILABLE")
  static let rateLimited = ErrorCode(rawValue: "RATE_LIMITED")
  static let providerUnavailable = ErrorCode(rawValue: "PROVIDER_UNAVAILABLE")
}

/// The object type for each kind of key.
struct KindTypes: Sendable {
  private var types: [TypeID?]
  private var events: [TypeID?]

  init(_ schema: Schema) {
    types = Array(repeating: nil, count: 1 << Int(GlobalID.kindBits))
    for kind in Kind.allCases {
      guard let name = kind.typeName else { continue }
      types[Int(kind.rawValue)] = schema.type(named: name)
    }
    events = FamilyEvent.Kind.allCases.map { schema.type(named: $0.typeName) }
  }

  subscript(_ kind: FamilyEvent.Kind) -> TypeID? { events[Int(kind.rawValue)] }

  subscript(_ kind: Kind?) -> TypeID? { kind.flatMap { types[Int($0.rawValue)] } }
}

extension Kind {
  /// The object type of the schema; nil where keys of the kind are not seen from outside.
  var typeName: String? {
    switch self {
    case .family: "Family"
    case .account: "Account"
    case .person: "Person"
    case .child: "Child"
    case .chore: "Chore"
    case .contract: "Contract"
    case .finishedChore: "FinishedChore"
    case .session: "Session"
    case .item: "Item"
    case .reminder: "Reminder"
    case .contactInfo: "ContactInfo"
    case .contact: "Contact"
    case .contactRequest: "ContactRequest"
    case .group: "Group"
    case .contactRequestNotification: "ContactRequestNotification"
    case .contactAcceptedNotification: "ContactAcceptedNotification"
    case .contactRemovedNotification: "ContactRemovedNotification"
    case .groupInvitationNotification: "GroupInvitationNotification"
    case .reminderNotification: "ReminderNotification"
    case .groupMember: "GroupMember"
    case .groupJoinRequest: "GroupJoinRequest"
    case .groupJoinRequestNotification: "GroupJoinRequestNotification"
    case .groupJoinAcceptedNotification: "GroupJoinAcceptedNotification"
    case .groupMemberRemovedNotification: "GroupMemberRemovedNotification"
    case .familyInvitation: "FamilyInvitation"
    case .parentRemoval: "ParentRemoval"
    case .familyInvitationClaimedNotification: "FamilyInvitationClaimedNotification"
    case .familyInvitationRejectedNotification: "FamilyInvitationRejectedNotification"
    case .parentJoinedNotification: "ParentJoinedNotification"
    case .parentLeftNotification: "ParentLeftNotification"
    case .parentRemovedNotification: "ParentRemovedNotification"
    case .parentRemovalRequestedNotification: "ParentRemovalRequestedNotification"
    case .parentRemovalEndedNotification: "ParentRemovalEndedNotification"
    }
  }
}
