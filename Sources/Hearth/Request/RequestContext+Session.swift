import GraphQL
import GraphQLTransport
import Storage

/// The check that the session of a remembered token still exists, and that its member has not moved to another family.
///
/// On a database in another process it is a statement of the request's first flush, so that it costs no round trip: no
/// request that begins after a committed sign-out is served, whichever server committed it. On every database, it is
/// repeated after the request has waited.
extension RequestContext {
  package func answers(canBeginAgain: Bool) async throws(FieldError) {
    guard let expected = uncheckedViewer else { return try await readAnswers(canBeginAgain) }
    // The first pass asks for the session, with the statements of the request that have no answer yet.
    _ = session(of: expected)
    try await readAnswers(canBeginAgain)
    try settle(session(of: expected), expected: expected)
  }

  private func readAnswers(_ canBeginAgain: Bool) async throws(FieldError) {
    if await reader.answers(canBeginAgain: canBeginAgain && !hasLostSnapshot) { return }
    hasLostSnapshot = true
    // The query is executed again from the start.
    searches = 0
    endRead()
    throw .snapshotLost
  }

  package func checkCaller() {
    guard let unrecordedViewer else { return }
    // If statements are not answered at once, the session is read with the next ones.
    uncheckedViewer = unrecordedViewer
    guard answersAtOnce else { return }
    endRead()
    let reader = reader
    // Whatever the request has read before, this is one row.
    reader.hasNoTimeLimit = true
    checkSession(reader)
  }

  /// Throws if the session has ended, or its member has moved to another family, while a resolver has waited for what
  /// it returns.
  func requireSameCaller() async throws {
    let viewer = unrecordedViewer
    checkCaller()
    if !answersAtOnce { try await answers(canBeginAgain: false) }
    guard unrecordedViewer != viewer else { return }
    throw unrecordedViewer == nil ? TokenFault.revoked.error : .familyChanged
  }

  /// The same as `answers` for a reader that answers at once.
  func checkSession(_ reader: Reader) {
    guard let expected = uncheckedViewer else { return }
    let found = Result { try SessionCache.viewer(of: expected.session, at: Timestamp(startTime), from: reader) }
    // Work that begins now finds the caller as it is.
    try? settle(found, expected: expected)
  }

  /// Without a time limit: a request that is overdue moves to another thread, and needs its caller there.
  private func session(of viewer: Viewer) -> Result<Viewer?, any Error> {
    currentReader.beginPass()
    defer { _ = currentReader.endPass() }
    return Result {
      try currentReader.checking {
        try SessionCache.viewer(of: viewer.session, at: Timestamp(startTime), from: currentReader)
      }
    }
  }

  package var unreadCaller: FieldError? {
    if case .unchecked(let error) = tokenFault { error } else { nil }
  }

  private func settle(_ found: Result<Viewer?, any Error>, expected: Viewer) throws(FieldError) {
    uncheckedViewer = nil
    let found = try viewer(in: found)
    // The request itself may have ended the session, or begun another one.
    guard found != expected, unrecordedViewer == expected else { return }
    unrecordedViewer = found
    if found == nil { tokenFault = .revoked }
    services.endedSessions.note([expected.session], change: found == nil ? .ended : .rightsChanged)
    throw found == nil ? TokenFault.revoked.error : .familyChanged
  }

  /// Nothing is shown to a caller whose session could not be read.
  private func viewer(in found: Result<Viewer?, any Error>) throws(FieldError) -> Viewer? {
    do { return try found.get() } catch {
      let known = fieldError(for: error)
      if known == nil { report(error, at: "session") }
      let reason = known ?? FieldError("The session could not be read: try again later.", code: .storageUnavailable)
      unrecordedViewer = nil
      tokenFault = .unchecked(reason)
      throw reason
    }
  }
}

extension FieldError {
  /// Never shown: the request begins again.
  static let snapshotLost = FieldError("The snapshot was lost: send the request again.", code: .storageUnavailable)
  static let familyChanged = FieldError(
    "You have moved to another family: send the request again.",
    code: .rightsChanged
  )
}
