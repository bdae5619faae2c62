import GraphQL
import Storage

/// The names with which children sign in. No two children of the server have equal ones, regardless of case.
enum Username {
  static let taken = SQL<(usernameKey: String, child: GlobalID?)>(
    "SELECT 1 FROM child WHERE username_key = \(\.usernameKey) AND id IS DISTINCT FROM \(\.child)"
  )

  static let takenMessage: UserError.Message = "Another child has this username."

  /// A username in the right form, which may be taken.
  static func read(_ form: inout InputForm, required: Bool) -> String? {
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

  /// Checks whether another child has a username that the family has chosen. Each taken one counts against a limit.
  /// Once it is used up, every choice is rejected, so that the error does not tell which usernames are taken.
  ///
  /// - Parameter child: the child that the username is for; nil for a new child.
  static func checkIsTaken(
    _ username: String,
    besides child: GlobalID?,
    by family: GlobalID,
    in context: RequestContext
  ) async throws -> Bool {
    // A repeated mutation has the username itself.
    if context.idempotentRun?.repeatsField == true { return false }
    try await context.take(.takenUsername, by: .family(family))
    if try await context.read({ reader in try isTaken(username, besides: child, from: reader) }) { return true }
    await context.giveBack(.takenUsername, by: .family(family))
    return false
  }

  /// - Parameter child: the child that the username is for; nil for a new child.
  static func isTaken(_ username: String, besides child: GlobalID? = nil, from reader: Reader) throws -> Bool {
    try reader.hasRow(taken, (usernameKey: username.lowercased(), child: child))
  }

  /// Makes a username of the letters of the name, with a random number if they are taken. Counting up from 1 would look
  /// up every child with the same name.
  static func makeFree(for name: String, in transaction: WriteTransaction) throws -> String {
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
