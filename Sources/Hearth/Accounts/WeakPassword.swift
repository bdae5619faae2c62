import Assets
import Foundation
import GraphQL
import Storage

/// New passwords that are easy to guess: common ones, one repeated character, and the account's own name and address
/// (OWASP ASVS 2.1.7).
enum WeakPassword {
  /// Why a password is rejected; nil if it is accepted.
  static func fault(
    of password: String,
    own: [String]
  ) -> (reason: UserError.Reason, message: UserError.Message)? {
    let text = password.trimmingCharacters(in: .whitespacesAndNewlines)
      .precomposedStringWithCompatibilityMapping.lowercased()
    if Set(text).count <= 1 {
      return (.repeatedCharacter, "A password must have at least two different characters.")
    }
    guard !CommonPasswords.contain(text) else {
      return (.commonPassword, "This password is common and easy to guess: choose another.")
    }
    let words = withoutSpaces(text)
    guard !own.contains(where: { withoutSpaces($0.precomposedStringWithCompatibilityMapping.lowercased()) == words })
    else { return (.ownNameOrAddress, "A password must not be your name or your e-mail address.") }
    return nil
  }

  private static func withoutSpaces(_ text: String) -> String { text.filter { !$0.isWhitespace } }

  static let known = SQL<GlobalID>(
    """
    SELECT a.email, p.name, p.first_name, p.last_name FROM account AS a JOIN person AS p ON p.id = a.id \
    WHERE a.id = \(\.self)
    """
  )

  /// The address and names of an account.
  static func ownTexts(of person: GlobalID, from reader: Reader) throws -> [String] {
    let texts = try reader.first(of: known, person) { row in (0..<4).compactMap { row.optionalString($0) } } ?? []
    return texts + texts.prefix(1).map(localPart)
  }

  /// The address and names of a registration that is valid: the names that a client sends can be long.
  static func ownTexts(of applicant: Registration.Applicant) -> [String] {
    let (email, name) = (applicant.email.text, applicant.name)
    let parts = [name.first, name.last].compactMap(\.self)
    return [email, localPart(of: email), name.full, parts.joined(separator: " ")] + parts
  }

  private static func localPart(of email: String) -> String { String(email.prefix { $0 != "@" }) }
}
