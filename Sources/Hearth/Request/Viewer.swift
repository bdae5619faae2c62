import GraphQL
import GraphQLTransport
import Storage

/// Who is signed in.
struct Viewer: Hashable, Sendable {
  let session: GlobalID
  /// A person or a child.
  let member: GlobalID
  let family: GlobalID

  var isChild: Bool { member.kind == .child }

  static let familyOfSession = SQL("SELECT family_id FROM session WHERE id = ?1")

  /// Throws where the session has ended since the request came, or its member has moved to another family.
  func requireUnchanged(_ transaction: WriteTransaction) throws {
    let finding = try transaction.statement(Self.familyOfSession)
    try finding.bind(1, session.rawValue)
    guard let found = try finding.first({ row in row.int64(0) }) else { throw TokenFault.revoked.error }
    guard found == family.rawValue else {
      throw FieldError("You have moved to another family meanwhile: ask again.", code: .rightsChanged)
    }
  }
}
