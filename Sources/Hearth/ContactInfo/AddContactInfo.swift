import GraphQL
import Storage

enum AddContactInfo {
  static let mutation = FieldBinding.mutation(.input(required: ["scope", "info"])) { arguments, context in
    let viewer = try context.requireParent()
    var errors: [UserError] = []
    let region = context.configuration.phoneRegion
    guard let form = ContactInfoForm(arguments, region: region, &errors), let content = form.content else {
      return Payload(errors: errors)
    }
    let key = try await context.write { write in
      let count = try write.reader.number(of: ContactInfo.countOfPerson, viewer.member)
      guard count ?? 0 < ContactInfo.maximumOfPerson else {
        let message: UserError.Message =
          "You can have at most \(maximum: ContactInfo.maximumOfPerson) contact details: remove some first."
        throw RejectedInput(["info"], code: .tooLong, message: message)
      }
      let info = ContactInfo(
        content,
        id: try KeySequence.next(.contactInfo, in: write.transaction),
        of: viewer.member,
        scope: form.scope ?? .personal,
        label: form.label,
        isPrimary: form.primary ?? false
      )
      try ContactInfo.insert(info, in: write.transaction)
      write.recordChange(ofAccount: viewer.member)
      return info.id
    }
    return Payload(["contactInfo": [key]])
  }
}
