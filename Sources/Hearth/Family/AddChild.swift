import GraphQL
import Storage

enum AddChild {
  static let usernameTaken = SQL<String>("SELECT 1 FROM child WHERE username_key = \(\.self)")
  static let takenByOther = SQL<(usernameKey: String, child: GlobalID)>(
    "SELECT 1 FROM child WHERE username_key = \(\.usernameKey) AND id <> \(\.child)"
  )

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
    let (services, now) = (context.services, context.now)
    let isMailed = await context.allows(.childMail, by: .person(viewer.member))
    let lane = MailLane(network: context.client, sender: .person(viewer.member))
    let key = try await context.write(with: avatar) { transaction in
      let key = try insert(child, family: viewer.family, at: now, in: transaction)
      if isMailed {
        try services.mail.append(
          .childAdded,
          person: viewer.member,
          subject: key,
          in: lane,
          at: now,
          transaction: transaction
        )
      }
      FamilyEvent.record(.childChanged, subject: key, of: viewer.family, at: now, in: transaction)
      return key
    }
    return Payload(["child": [key]])
  }

  /// A username in the right form, which may be taken.
  static func readUsername(_ form: inout InputForm, required: Bool) -> String? {
    let given = form.line("username", subject: "A username", maximum: 30, required: required)
    guard let username = given else { return nil }
    guard username.count >= 3 else {
      form.reject(
        "username",
        code: .tooShort,
        message: "A username must have at least \(minimum: 3) characters."
      )
      return nil
    }
    guard username.allSatisfy({ $0.isLetter || $0.isNumber || "._-".contains($0) }) else {
      form.reject(
        "username",
        code: .invalid,
        message: "A username can have letters, digits, \".\", \"_\" and \"-\" only."
      )
      return nil
    }
    return username
  }

  private static func username(
    _ form: inout InputForm,
    of family: GlobalID,
    in context: RequestContext
  ) async throws -> String? {
    guard let username = readUsername(&form, required: false) else { return nil }
    if try await isFound(taken: username, by: family, in: context, { reader in try isTaken(username, from: reader) }) {
      form.reject("username", code: .taken, message: takenMessage)
      return nil
    }
    return username
  }

  /// Whether another child has a username that the family has chosen. Each taken one counts against a limit. Once it is
  /// used up, every choice is rejected, so that the error does not tell which usernames are taken.
  static func isFound(
    taken username: String,
    by family: GlobalID,
    in context: RequestContext,
    _ isTaken: @escaping @Sendable (Reader) throws -> Bool
  ) async throws -> Bool {
    // A repeated mutation has the username itself.
    if context.idempotentRun?.repeatsField == true { return false }
    try await context.take(.takenUsername, by: .family(family))
    if try await context.read(isTaken) { return true }
    await context.giveBack(.takenUsername, by: .family(family))
    return false
  }

  static let takenMessage: UserError.Message = "Another child has this username."

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

  private static func insert(
    _ child: NewChild,
    family: GlobalID,
    at now: Int64,
    in transaction: WriteTransaction
  ) throws -> GlobalID {
    let username: String
    if let wanted = child.username {
      guard try !isTaken(wanted, from: transaction.reader) else {
        throw RejectedInput(["input", "username"], code: .taken, message: takenMessage)
      }
      username = wanted
    } else {
      username = try freeUsername(for: child.name, in: transaction)
    }
    let row = Child(
      family: family,
      id: try KeySequence.next(.child, in: transaction),
      name: child.name,
      username: username,
      usernameKey: username.lowercased(),
      dateOfBirth: child.dateOfBirth,
      gender: child.gender,
      theme: child.theme,
      createdAt: Timestamp(now),
      avatar: try child.avatar.number(transaction),
      locale: child.locale
    )
    try transaction.run(Child.table.insert, row)
    return row.id
  }

  static func isTaken(_ username: String, from reader: Reader) throws -> Bool {
    try reader.hasRow(usernameTaken, username.lowercased())
  }

  static func isTaken(_ username: String, besides child: GlobalID, from reader: Reader) throws -> Bool {
    try reader.hasRow(takenByOther, (usernameKey: username.lowercased(), child: child))
  }

  /// The letters of the name, with a random number if they are taken. Counting up from 1 would look up every child with
  /// the same name.
  static func freeUsername(for name: String, in transaction: WriteTransaction) throws -> String {
    let letters = name.lowercased().filter { $0.isLetter || $0.isNumber }.prefix(20)
    let stem = letters.count >= 3 ? String(letters) : "child" + letters
    if try !isTaken(stem, from: transaction.reader) { return stem }
    var digits = 100
    while true {
      let username = stem + String(Int.random(in: 1..<digits))
      if try !isTaken(username, from: transaction.reader) { return username }
      digits = min(digits * 10, 1_000_000_000)
    }
  }
}
