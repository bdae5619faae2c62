import GraphQL
import Storage

/// How a mutation changes the viewer, whose rights its payload and the fields after it have. The viewer is never made
/// of what a write has returned: a repeated request has that from its first execution, up to a day ago.
extension RequestContext {
  /// - Parameter viewer: of a session that a write of this execution has begun or renewed.
  func signIn(as viewer: Viewer) { unrecordedViewer = viewer }

  func signOut() { unrecordedViewer = nil }

  /// Follows the viewer's session, which a write has moved to the family. Throws if it is in another one now.
  func move(to family: GlobalID) async throws {
    let viewer = try requireViewer()
    let found = try await read { reader in try reader.key(of: Viewer.familyOfSession, viewer.session) }
    guard let found else { throw TokenFault.revoked.error }
    guard found == family else { throw FieldError.responseNotKept }
    unrecordedViewer = Viewer(session: viewer.session, member: viewer.member, family: found)
  }
}
