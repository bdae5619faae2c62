import GraphQL

extension InputForm {
  /// A new password, or nil if it is not acceptable. It is not trimmed.
  ///
  /// - Parameter own: publicly known texts of the account, which the password must not equal.
  mutating func newPassword(_ field: String, own: [String]) -> String? {
    guard let password = self[field]?.string, !password.isEmpty else {
      reject(field, code: .blank, message: "A password is required.")
      return nil
    }
    if Passwords.isTooLong(password) {
      let message = "A password can have at most \(Passwords.maximumLength) characters."
      reject(field, code: .tooLong, message: message, parameters: [.maximum(Passwords.maximumLength)])
      return nil
    }
    if password.count < Passwords.minimumLength {
      let message = "A password must have at least \(Passwords.minimumLength) characters."
      reject(field, code: .tooShort, message: message, parameters: [.minimum(Passwords.minimumLength)])
      return nil
    }
    if let message = WeakPassword.reason(password, own: own) {
      reject(field, code: .tooCommon, message: message)
      return nil
    }
    return password
  }
}
