import GraphQL
import Storage

enum AddChild {
  private struct NewChild: Sendable {
    let name: String
    let username: String?
    let dateOfBirth: String?
    let gender: Gender
    let theme: Theme
    let avatar: PictureChange
    let locale: String?
  }

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments["input"], at: ["input"])
    let name = form.line("name", subject: "A name")
    let username = try await username(&form, of: viewer.family, in: context)
    let dateOfBirth = try await birth(&form, in: context)
    let avatar = try await form.picture("avatar", in: context)
    let locale = form.locale("locale")
    guard form.errors.isEmpty, let name else { return Payload(errors: form.errors) }
    let child = NewChild(
      name: name,
      username: username,
      dateOfBirth: dateOfBirth,
      gender: form.choice("gender", default: .unspecified),
      theme: form.choice("theme", default: .sunrise),
      avatar: avatar,
      locale: locale
    )
    try await context.take(.addedChild, by: .family(viewer.family))
    let services = context.services
    let isMailed = await context.takeIfAvailable(.childMail, by: .person(viewer.member))
    let lane = services.mail.lane(network: context.client, sender: .person(viewer.member))
    let key = try await context.write(as: viewer, with: avatar) { write in
      let key = try insert(child, in: write)
      if isMailed {
        try services.mail.append(.childAdded, person: viewer.member, subject: key, lane: lane, in: write.dated)
      }
      write.record(.childChanged, subject: key)
      return key
    }
    return Payload(["child": [key]])
  }

  private static func username(
    _ form: inout InputForm,
    of family: GlobalID,
    in context: RequestContext
  ) async throws -> String? {
    guard let username = Username.read(&form, required: false) else { return nil }
    if try await Username.checkIsTaken(username, besides: nil, by: family, in: context) {
      form.reject("username", code: .taken, message: Username.takenMessage)
      return nil
    }
    return username
  }

  private static func birth(_ form: inout InputForm, in context: RequestContext) async throws -> String? {
    let today = try await context.inPasses { try context.today() }
    if let age = form["birth"]?["age"]?.int {
      guard (0...130).contains(age) else {
        form.reject(
          "birth",
          "age",
          code: .outOfRange,
          message: "An age must be from \(minimum: 0) to \(maximum: 130)."
        )
        return nil
      }
      return CalendarDay.years(Int(age), before: today)
    }
    return form.birthday("birth", "dateOfBirth", today: today)
  }

  private static func insert(_ child: NewChild, in write: FamilyWrite) throws -> GlobalID {
    let username: String
    if let wanted = child.username {
      guard try !Username.isTaken(wanted, from: write.reader) else {
        throw RejectedInput(["input", "username"], code: .taken, message: Username.takenMessage)
      }
      username = wanted
    } else {
      username = try Username.makeFree(for: child.name, in: write.transaction)
    }
    let row = Child(
      family: write.family,
      id: try KeySequence.next(.child, in: write.transaction),
      name: child.name,
      username: username,
      usernameKey: username.lowercased(),
      dateOfBirth: child.dateOfBirth,
      gender: child.gender,
      theme: child.theme,
      createdAt: write.now,
      avatar: try child.avatar.number(write.transaction),
      locale: child.locale
    )
    try write.transaction.run(Child.table.insert, row)
    return row.id
  }
}
