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
      let maximum = Passwords.maximumLength
      reject(field, code: .tooLong, message: "A password can have at most \(maximum: maximum) characters.")
      return nil
    }
    if CombiningMarks.areTooMany(in: password) {
      let maximum = CombiningMarks.maximum
      reject(
        field,
        code: .invalid,
        reason: .combiningMarks,
        message: "A password cannot have more than \(maximum: maximum) combining marks in a row."
      )
      return nil
    }
    if password.count < Passwords.minimumLength {
      let minimum = Passwords.minimumLength
      reject(field, code: .tooShort, message: "A password must have at least \(minimum: minimum) characters.")
      return nil
    }
    if let fault = WeakPassword.fault(of: password, own: own) {
      reject(field, code: .tooCommon, reason: fault.reason, message: fault.message)
      return nil
    }
    return password
  }
}
