import Basics
import EventLoop
import GraphQL
import GraphQLTransport
import Logging
import Storage

/// The context of one request: the viewer, the snapshot it reads, and the services of the process. It is confined to
/// its event loop.
package final class RequestContext: ExecutionContext {
  private let parts: LoopParts
  private var unrecordedServices: Services { parts.services }
  /// The state that all requests share. It changes, so a response that depends on it is not sent again. The constants
  /// among it have properties of their own: `configuration`, `cipher`, `pictureKey`.
  var services: Services {
    isReusable = false
    return unrecordedServices
  }
  var configuration: Configuration { unrecordedServices.configuration }
  var cipher: IdentifierCipher { unrecordedServices.cipher }
  /// The key that signs the addresses of pictures.
  var pictureKey: [UInt8] { unrecordedServices.pictures.signingKey }
  /// Whether the response so far depends on nothing but the operation, its variables, the base URL, the data, the day,
  /// and the caller as far as `audience` states. Resolvers have everything from the context, so the properties that
  /// show them more end it. `startTime`, `currentReader`, `tokenFault`, `uncheckedViewer` and those that begin with
  /// `unrecorded` do not: only this folder uses them.
  var isReusable = false
  /// Who gets the response so far.
  private(set) var audience = ResponseAudience.family
  /// The loop's reader, or that of the slow lane while the execution runs there. Requests of a loop share it, so each
  /// access sets whether the current request may become overdue.
  var reader: Reader {
    let reader = currentReader
    reader.hasNoTimeLimit = staysOnLoop
    if let trace { reader.recorder = trace }
    return reader
  }
  /// The same, as the last access has set it.
  private(set) var currentReader: Reader { didSet { answersAtOnce = currentReader.answersAtOnce } }
  /// Kept, because an execution asks for it several times, each of which would retain the reader.
  package private(set) var answersAtOnce: Bool
  package var staysOnLoop = false
  /// Nil if the request is not traced.
  package var trace: RequestTrace? { didSet { trace?.database = unrecordedServices.configuration.databaseSystem } }
  var types: KindTypes { parts.types }
  /// The authenticated member. Mutations change it for the following fields: see `RequestContext+Viewer`.
  var unrecordedViewer: Viewer? {
    didSet {
      knownToday = nil
      valuesByKey = [:]
    }
  }
  /// The same, with which the response becomes one for the viewer's session.
  var viewer: Viewer? {
    audience = .session
    return unrecordedViewer
  }
  /// The viewer's member, with which the response becomes one for all of their sessions, unless it was narrower.
  var member: GlobalID? {
    audience = max(audience, .member)
    return unrecordedViewer?.member
  }
  /// The viewer's family. The response can still be one for all of its members.
  var family: GlobalID? { unrecordedViewer?.family }
  /// The viewer of the token as the server remembers it, until the session has been read in a snapshot of the request.
  /// Nil if the viewer was read by this request, and at the start of one on databases that answer at once, where the
  /// server knows at any moment which sessions have ended.
  var uncheckedViewer: Viewer?
  /// Whether the request has lost a snapshot that it shared with others. Then it has one of its own.
  var hasLostSnapshot = false
  /// Why the request's token is invalid, if it has one.
  var tokenFault: TokenFault?
  /// When the request's token expires.
  private let tokenExpiresAt: Int64?
  private let caller: Caller
  /// The host that the client addressed.
  var host: ArraySlice<UInt8>? { caller.host }
  /// The uploaded files. `InputValue.upload` refers to them by index.
  let files: [UploadedFile]
  /// The network of the client, if known. Computed, because only mutations need it.
  var client: ClientNetwork? {
    isReusable = false
    return caller.address.flatMap(ClientNetwork.init)
  }
  /// When the request began.
  let startTime: Int64
  /// The time of the request, which is constant throughout its execution. A response that depends on it is not sent
  /// again.
  var now: Int64 {
    isReusable = false
    return startTime
  }
  var knownToday: String?
  /// The time during which it is the day that `today` has returned.
  private(set) var day: Range<Int64>?
  /// The state of the request when its current pass began, which a repeated pass starts from. Nil before the first.
  var passMark: PassMark?
  /// The pages of connections that this request has loaded.
  var pages: [Page] = []
  /// The number of searches so far.
  var searches = 0
  /// Values that features create once per key and keep for the request.
  var valuesByKey: [GlobalID: any Sendable] = [:]
  /// The error of the database, or of a full queue, because of which the response lacks data (`ExecutionContext`).
  package internal(set) var unreadData: FieldError?
  /// Whether a write of the request is stored.
  var hasWritten = false
  /// Set while a mutation with an idempotency key is executed.
  var idempotentRun: IdempotentRun?
  /// Whether the execution starts off the loop because the caller's last ones took long.
  package let startsOffLoop: Bool
  package private(set) var isOffLoop = false
  /// The times of the request's statements, if they are measured.
  var statementTimes: [StatementTime] = []
  /// The positions of the events that the request's writes have stored, if statements are measured.
  var eventPositions: [Int64] = []
  /// Whether the execution exceeded the time limit of a loop.
  private(set) var hasBeenSlow = false
  private var isCountedAsFailure = false

  init(
    _ parts: LoopParts,
    reader: Reader,
    viewer: Viewer?,
    isViewerRemembered: Bool,
    tokenFault: TokenFault?,
    tokenExpiresAt: Int64?,
    caller: Caller,
    files: [UploadedFile],
    startedAt: Int64
  ) {
    self.parts = parts
    answersAtOnce = reader.answersAtOnce
    currentReader = reader
    unrecordedViewer = viewer
    uncheckedViewer = isViewerRemembered && !answersAtOnce ? viewer : nil
    self.tokenFault = tokenFault
    self.tokenExpiresAt = tokenExpiresAt
    self.caller = caller
    self.files = files
    startTime = startedAt
    startsOffLoop = parts.slowCallers.contains(viewer?.member, at: startedAt)
  }

  /// The current day in the time zone of the viewer's family. Loaded on first use.
  func today() throws(DatabaseError) -> String {
    if let knownToday { return knownToday }
    var timeZone: String?
    if let family {
      timeZone = try FamilyTimeZone.name(of: family, from: reader)
    }
    let clock = WallClock(timeZone ?? unrecordedServices.configuration.timeZone)
    let today = clock.day(at: startTime).text
    if let end = clock.endOfPlainDay(at: startTime) { day = startTime..<end } else { isReusable = false }
    knownToday = today
    return today
  }

  /// Makes `today` read the day again, so that a response that depends on it is recognized.
  func forgetDay() {
    knownToday = nil
    day = nil
  }

  /// Begins to record who gets the response.
  func forgetAudience() { audience = .family }

  /// Whether the request was made during `times`. What depends on these alone can be sent again.
  func began(during times: Range<Int64>) -> Bool { times.contains(startTime) }

  /// The authorization of a connection that outlives the request.
  var identity: ConnectionIdentity {
    guard let unrecordedViewer else {
      return tokenFault.map { .rejected(GraphQLError($0.error.message, code: $0.error.code)) } ?? .anonymous
    }
    return .signedIn(
      SessionIdentity(
        id: unrecordedViewer.session.rawValue,
        rights: unrecordedViewer.family.rawValue,
        person: unrecordedViewer.member.rawValue,
        family: unrecordedViewer.family.rawValue,
        expiresIn: tokenExpiresAt.map { $0 - startTime }
      )
    )
  }

  /// What is kept for the events of a subscription.
  var subscriber: Subscriber {
    Subscriber(
      viewer: unrecordedViewer,
      tokenFault: tokenFault,
      tokenExpiresAt: tokenExpiresAt,
      caller: caller.withoutAuthorization()
    )
  }

  /// The configured base of URLs in responses.
  var publicURL: String? { unrecordedServices.configuration.publicURL }

  package func objectType(of key: Int64) -> TypeID? { types[GlobalID(rawValue: key)] }

  package func text(ofPosition position: Int64) -> String { cipher.text(ofPosition: position) }

  /// Remembers a caller whose execution is overdue now instead of when it finishes: requests that arrived with this one
  /// on other connections are next, and each would take the loop's time in vain.
  package func willSuspend() {
    rememberIfSlow(currentReader)
    trace?.levelDidRead()
    endRead()
  }

  /// Releases the snapshot.
  func endRead() { endRead(currentReader) }

  /// Ends the request. Returns its reader.
  func finish() -> Reader {
    let reader = currentReader
    rememberIfSlow(reader)
    endRead(reader)
    return reader
  }

  private func endRead(_ reader: Reader) {
    reader.endRead()
    if reader.measuresStatements, let trace = reader.trace { statementTimes.add(trace.take()) }
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

  package var turn: UInt64? { isOffLoop ? nil : parts.loop.now }
  package var hasLongTurn: Bool { !isOffLoop && parts.loop.hasLongTurn }

  /// Makes the caller's next requests start off the loop if this one took long.
  private func rememberIfSlow(_ reader: Reader) {
    guard hasBeenSlow || reader.isOverdue || searches > SlowCallers.usualSearches, let unrecordedViewer else { return }
    parts.slowCallers.insert(unrecordedViewer.member, at: startTime)
  }

  package func runOffLoop(_ work: @escaping @Sendable () -> Void) async throws(FieldError) {
    hasBeenSlow = true
    // The lane reads the session again.
    uncheckedViewer = unrecordedViewer
    // The query is executed again from the start.
    searches = 0
    endRead()
    // The execution, which owns this context, waits for the lane and does not use the context meanwhile.
    nonisolated(unsafe) let context = self
    do {
      try await services.slowLane.run(for: laneCaller) { laneReader in
        let own = context.currentReader
        context.currentReader = laneReader
        context.isOffLoop = true
        context.checkSession(laneReader)
        work()
        if let trace = laneReader.trace { context.statementTimes.add(trace.take()) }
        context.isOffLoop = false
        context.currentReader = own
      }
    } catch {
      if let known = error as? FieldError ?? fieldError(for: error) {
        // An execution with asynchronous calls goes on with this as the error of its fields.
        unreadData = known
        throw known
      }
      services.log.error("The slow lane has no reader.", metadata: ["error": "\(error)"])
      countFailure()
      throw .internalError
    }
  }

  private var laneCaller: SlowLane.Caller {
    if let unrecordedViewer { return .family(unrecordedViewer.family) }
    return client.map { .network($0) } ?? .unknown
  }

  package func report(_ error: any Error, at field: String) {
    services.log.error("A field could not be resolved.", metadata: ["field": "\(field)", "error": "\(error)"])
    countFailure()
  }

  /// Counts the request once, also if several of its fields fail.
  private func countFailure() {
    guard !isCountedAsFailure else { return }
    isCountedAsFailure = true
    services.metrics.countFailureOfField()
  }
}
