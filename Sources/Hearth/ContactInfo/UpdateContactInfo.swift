import GraphQL
import Storage

/// `updateContactInfo`: replaces the content, which may be of another kind. Scope, label and preference stay if they
/// are absent.
enum UpdateContactInfo {
  static let mutation = FieldBinding.mutation(.input(required: ["id", "info"])) { arguments, context in
    let viewer = try context.requireParent()
    let key = context.cipher.key(of: arguments["id"]?.string ?? "")
    var errors: [UserError] = []
    let form = ContactInfoForm(arguments, region: context.configuration.phoneRegion, &errors)
    let inputErrors = errors
    let updated = try await context.write { transaction in
      let known = try transaction.reader.first(of: ContactInfoRow.byKey, (person: viewer.member, info: key)) { row in
        (scope: Scope(stored: row.int64(0)), isPrimary: row.bool(1), label: row.optionalString(2))
      }
      guard let known, let key else { throw RejectedInput([ContactInfoRow.notFound(["id"])] + inputErrors) }
      guard let form else { throw RejectedInput(inputErrors) }
      let info = ContactInfo(
        form.content,
        id: key,
        of: viewer.member,
        scope: form.scope ?? known.scope ?? .personal,
        label: form.givesLabel ? form.label : known.label,
        isPrimary: form.primary ?? known.isPrimary
      )
      try ContactInfoRow.update(info, in: transaction)
      return key
    }
    return Payload(["contactInfo": [updated]])
  }
}
