import GraphQL
import Storage

enum AddContactInfo {
  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var errors: [UserError] = []
    let region = context.services.configuration.phoneRegion
    guard let form = ContactInfoForm(arguments, region: region, &errors) else { return Payload(errors: errors) }
    let key = try await context.write { transaction in
      let counting = try transaction.statement(ContactInfoRow.countOfPerson)
      try counting.bind(1, viewer.member.rawValue)
      guard try counting.first({ row in row.int64(0) }) ?? 0 < ContactInfoRow.maximumOfPerson else {
        let message = "You can have \(ContactInfoRow.maximumOfPerson) contact details at most: remove some first."
        throw Refused(["info"], .tooLong, message)
      }
      let row = ContactInfoRow.Row(
        key: try KeySequence.next(.contactInfo, transaction),
        person: viewer.member,
        scope: form.scope ?? .personal,
        label: form.label,
        isPrimary: form.primary ?? false,
        content: form.content
      )
      try ContactInfoRow.write(row, by: ContactInfoRow.insert, transaction)
      return row.key
    }
    return Payload(["contactInfo": [key]])
  }
}
