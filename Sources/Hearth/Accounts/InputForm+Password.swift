import GraphQL

extension InputForm {
  /// A new password, or nil if it is not acceptable. It is not trimmed.
  ///
  /// - Parameter own: publicly known texts of the account, which the password must not equal.
  mutating func newPassword(_ field: String, own: [String]) -> String? {
    guard let password = self[field]?.string, !password.isEmpty else {
      refuse(field, code: .blank, "A password is needed.")
      return nil
    }
    if Passwords.isTooLong(password) {
      refuse(field, code: .tooLong, "A password has \(Passwords.maximumLength) characters at most.")
      return nil
    }
    if password.count < Passwords.minimumLength {
      refuse(field, code: .tooShort, "A password has \(Passwords.minimumLength) characters at least.")
      return nil
    }
    if let message = WeakPassword.reason(password, own: own) {
      refuse(field, code: .tooCommon, message)
      return nil
    }
    return password
  }
}
