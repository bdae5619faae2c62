import GraphQL
import Storage

/// `updateContact`, formerly `setSharing`: changes what the viewer shares with a contact.
enum SetSharing {
  static let current = SQL<(owner: GlobalID, contact: GlobalID?)>(
    "SELECT person_id, sharing FROM contact WHERE owner_id = \(\.owner) AND id = \(\.contact)"
  )
  static let update = SQL<(owner: GlobalID, contact: GlobalID?, sharing: Scopes)>(
    "UPDATE contact SET sharing = \(\.sharing) WHERE owner_id = \(\.owner) AND id = \(\.contact)"
  )

  private static let form = ArgumentForm.input(
    required: ["contactId", "scopes"],
    renamed: ["id": "contactId", "sharing": "scopes"]
  )

  static let mutation = FieldBinding.mutation(form) { arguments, context in
    let viewer = try context.requireParent()
    let key = context.cipher.key(of: arguments["contactId"])
    let (sharing, limits, network) = (Scopes(arguments["scopes"]), context.services.rateLimits, context.client)
    let contact = try await context.write { write in
      let known = try write.reader.first(of: current, (owner: viewer.member, contact: key)) { row in
        (person: row.key(0), sharing: Scopes(bits: row.int64(1)))
      }
      guard let key, let known else { throw RejectedInput([ContactBook.notFound("contactId")]) }
      // The contact would get an event each time.
      guard known.sharing != sharing else { return key }
      if sharing.bits & ~known.sharing.bits != 0 {
        try limits.takeShare(from: viewer.member, to: known.person, network: network, in: write)
      }
      try write.transaction.run(update, (owner: viewer.member, contact: key, sharing: sharing))
      try ContactBook.recordSharing(of: key, with: known.person, by: viewer.member, in: write)
      return key
    }
    return Payload(["contact": [contact]])
  }
}
