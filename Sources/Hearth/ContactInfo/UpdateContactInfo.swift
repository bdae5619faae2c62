import GraphQL
import Storage

/// `updateContactInfo`: replaces the content, which may be of another kind. What is absent stays.
enum UpdateContactInfo {
  static let mutation = FieldBinding.mutation(.input(required: ["id"])) { arguments, context in
    let viewer = try context.requireParent()
    let key = context.cipher.key(of: arguments["id"])
    var errors: [UserError] = []
    let form = ContactInfoForm(arguments, region: context.configuration.phoneRegion, &errors)
    let inputErrors = errors
    let updated = try await context.write { write in
      let known = try write.reader.first(of: ContactInfo.byKey, (person: viewer.member, info: key)) { row in
        (
          scope: Scope(stored: row.int64(0)), isPrimary: row.bool(1), label: row.optionalString(2),
          kind: ContactInfoKind(stored: row.int64(3))
        )
      }
      guard let known, let key else { throw RejectedInput([ContactInfo.notFound(["id"])] + inputErrors) }
      guard let form else { throw RejectedInput(inputErrors) }
      write.recordChange(ofAccount: viewer.member)
      let scope = form.scope ?? known.scope ?? .personal
      let label = form.givesLabel ? form.label : known.label
      let isPrimary = form.primary ?? known.isPrimary
      guard let content = form.content else {
        try ContactInfo.update(
          (
            person: viewer.member, info: key, kind: known.kind ?? .email, scope: scope, label: label,
            isPrimary: isPrimary
          ),
          in: write.transaction
        )
        return key
      }
      try ContactInfo.update(
        ContactInfo(content, id: key, of: viewer.member, scope: scope, label: label, isPrimary: isPrimary),
        in: write.transaction
      )
      return key
    }
    return Payload(["contactInfo": [updated]])
  }
}
