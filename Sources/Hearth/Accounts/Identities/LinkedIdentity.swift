import GraphQL
import Storage

/// An identity provider with which the viewer can sign in.
struct LinkedIdentity: Sendable {
  let provider: IdentityProvider
  let email: String?
  /// In milliseconds.
  let linkedAt: Int64

  static let ofPerson = SQL<GlobalID>(
    "SELECT provider, email, linked_at FROM identity WHERE person_id = \(\.self) ORDER BY provider"
  )

  /// Only the viewer's own account is ever loaded.
  static let ofAccount = FieldBinding.objects { batch, context in
    guard let viewer = context.member else { return }
    var identities: [LinkedIdentity] = []
    try context.reader.forEachRow(of: ofPerson, viewer) { row in
      guard let provider = IdentityProvider(stored: row.int64(0)) else { return }
      identities.append(LinkedIdentity(provider: provider, email: row.optionalString(1), linkedAt: row.int64(2)))
    }
    for parent in 0..<batch.count {
      for identity in identities { batch.add(parent, value: identity, of: batch.resultType) }
    }
  }

  static let binding = ObjectBinding(fields: [
    "provider": .property { (identity: LinkedIdentity) in .string(identity.provider.rawValue) },
    "email": .property { (identity: LinkedIdentity) in LeafValue(identity.email) },
    "linkedAt": .property { (identity: LinkedIdentity) in .int(identity.linkedAt) },
  ])
}
