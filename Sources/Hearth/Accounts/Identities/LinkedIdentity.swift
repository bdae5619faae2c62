import GraphQL
import Storage

/// A provider by which the viewer can sign in.
struct LinkedIdentity: Sendable {
  let provider: IdentityProvider
  let email: String?
  /// In milliseconds.
  let linkedAt: Int64

  static let ofPerson = SQL("SELECT provider, email, linked_at FROM identity WHERE person_id = ?1 ORDER BY provider")

  /// An account is always the viewer's own.
  static let ofAccount = FieldBinding.objects { batch, context in
    guard let viewer = context.viewer else { return }
    let statement = try context.reader.statement(ofPerson)
    try statement.bind(1, viewer.member.rawValue)
    var identities: [LinkedIdentity] = []
    try statement.forEachRow { row in
      guard let provider = IdentityProvider(stored: row.int64(0)) else { return }
      identities.append(LinkedIdentity(provider: provider, email: row.optionalString(1), linkedAt: row.int64(2)))
    }
    for slot in 0..<batch.count {
      for identity in identities { batch.add(slot, value: identity, of: batch.resultType) }
    }
  }

  static let binding = ObjectBinding(fields: [
    "provider": .property { (identity: LinkedIdentity) in .string(identity.provider.rawValue) },
    "email": .property { (identity: LinkedIdentity) in LeafValue(identity.email) },
    "linkedAt": .property { (identity: LinkedIdentity) in .int(identity.linkedAt) },
  ])
}
