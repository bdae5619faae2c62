import GraphQL
import GraphQLTransport
import Logging
import Storage

/// The contexts of requests and of open connections, and how the caller is identified.
extension HearthService {
  package func knownContext(for caller: Caller) throws -> RequestContext? {
    try knownContext(for: caller, [])
  }

  private func knownContext(for caller: Caller, _ files: [UploadedFile]) throws -> RequestContext? {
    guard let token = caller.bearerToken else {
      return context(for: caller, files, reader: try takeReader(), fault: caller.hasAuthorization ? .unknownForm : nil)
    }
    // Read once, for the expiry of the token and for the start of the request.
    let now = services.clock.now()
    guard let admission = sessions.admission(for: token, at: now, services) else { return nil }
    return context(for: caller, files, reader: try takeReader(), admission, isRemembered: true, at: now)
  }

  package func context(for caller: Caller, _ files: [UploadedFile]) async throws -> RequestContext {
    if let known = try knownContext(for: caller, files) { return known }
    guard let token = caller.bearerToken else {
      return context(for: caller, files, reader: try takeReader(), fault: .unknownForm)
    }
    return try await context(for: caller, token: token, files: files)
  }

  package func subscriber(of context: RequestContext) -> Subscriber { context.subscriber }

  package func context(for subscriber: Subscriber) throws -> RequestContext {
    RequestContext(
      parts,
      reader: try takeReader(),
      viewer: subscriber.viewer,
      isViewerRemembered: true,
      tokenFault: subscriber.tokenFault,
      tokenExpiresAt: subscriber.tokenExpiresAt,
      caller: subscriber.caller,
      files: [],
      startedAt: now
    )
  }

  /// - Parameters:
  ///   - admission: nil if no session was found.
  ///   - isRemembered: whether the session was not read for this request.
  ///   - time: nil to read the clock.
  private func context(
    for caller: Caller,
    _ files: [UploadedFile],
    reader: consuming Reader,
    _ admission: SessionCache.Admission? = nil,
    isRemembered: Bool = false,
    fault: TokenFault? = nil,
    at time: Int64? = nil
  ) -> RequestContext {
    RequestContext(
      parts,
      reader: reader,
      viewer: admission?.viewer,
      isViewerRemembered: isRemembered,
      tokenFault: fault,
      tokenExpiresAt: admission?.expiresAt,
      caller: caller,
      files: files,
      startedAt: time ?? now
    )
  }

  /// The context of a caller whose token this loop has not seen.
  private func context(
    for caller: Caller,
    token: ArraySlice<UInt8>,
    files: [UploadedFile]
  ) async throws -> RequestContext {
    let ended = services.endedSessions
    // Counted before the keys are read.
    let count = ended.currentCount
    let claims: (session: GlobalID, expiresAt: Int64)?
    do { claims = try await services.claims(of: token) } catch {
      throw (error as? DatabaseError).map(unavailability) ?? error
    }
    let reader = try takeReader()
    guard let claims else { return context(for: caller, files, reader: reader, fault: .malformed) }
    let expiresAt = claims.expiresAt
    guard expiresAt > services.clock.now() else {
      return context(for: caller, files, reader: reader, fault: .expired)
    }
    if !reader.answersAtOnce, let viewer = services.sessionViewers[claims.session] {
      if let admission = sessions.admit(viewer, token: token, expiresAt: expiresAt, since: count, of: ended) {
        return context(for: caller, files, reader: reader, admission, isRemembered: true)
      }
    } else {
      do {
        guard let viewer = try await viewer(of: claims.session, from: reader) else {
          return context(for: caller, files, reader: reader, fault: .revoked)
        }
        if !reader.answersAtOnce { services.sessionViewers.remember(viewer) }
        if let admission = sessions.admit(viewer, token: token, expiresAt: expiresAt, since: count, of: ended) {
          return context(for: caller, files, reader: reader, admission)
        }
      } catch {
        readers.giveBack(reader)
        throw (error as? DatabaseError).map(unavailability) ?? error
      }
    }
    // The keys have changed meanwhile: the token is verified again.
    readers.giveBack(reader)
    return try await context(for: caller, token: token, files: files)
  }

  /// The viewer of a session; nil if it has ended. If the database is in another process, the request goes on in the
  /// same snapshot.
  private func viewer(of session: GlobalID, from reader: Reader) async throws -> Viewer? {
    let now = Timestamp(services.clock.now())
    // The snapshot that begins here has a version, so that the response to this request can be kept.
    if !reader.answersAtOnce { _ = reader.beginVersionedRead() }
    while true {
      var seen = services.endedSessions.currentCount
      let viewer = try await reader.inPasses { try SessionCache.viewer(of: session, at: now, from: reader) }
      // The session can have ended, or its member moved, while this request waited for the answer. From here on there
      // is no suspension: what happens later is a change of `EndedSessions`, which drops the entry.
      let hasChanged = viewer != nil && services.endedSessions.hasChanged(session, since: &seen)
      if hasChanged || reader.answersAtOnce { reader.endRead() }
      if !hasChanged { return viewer }
    }
  }

  private func takeReader() throws -> Reader {
    do throws(DatabaseError) { return try readers.take() } catch { throw unavailability(for: error) }
  }

  /// The error of a request whose caller cannot be identified; `error` itself if it is an internal one.
  func unavailability(for error: DatabaseError) -> any Error {
    guard let known = error.noteReadFailure(in: services.outages) else {
      services.log.error("A caller could not be identified.", metadata: ["error": "\(error)"])
      return error
    }
    return ServiceUnavailable(GraphQLError(known))
  }
}
