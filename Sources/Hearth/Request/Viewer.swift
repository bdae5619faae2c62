import GraphQL
import GraphQLTransport
import Storage

/// The authenticated member of a request.
struct Viewer: Hashable, Sendable {
  let session: GlobalID
  /// A person or a child.
  let member: GlobalID
  let family: GlobalID

  var isChild: Bool { member.kind == .child }

  static let familyOfSession = SQL<GlobalID>("SELECT family_id FROM session WHERE id = \(\.self)")

  /// Throws if the session has ended or its member has moved to another family since the request began.
  func requireUnchanged(_ transaction: WriteTransaction) throws {
    let found = try transaction.reader.key(of: Self.familyOfSession, session)
    guard let found else { throw TokenFault.revoked.error }
    guard found == family else { throw FieldError.familyChanged }
  }
}
