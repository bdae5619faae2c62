import Foundation

/// How the texts of operators' commands show the properties of an account.
enum AccountCell {
  static func email(_ address: String, isVerified: Bool) -> String {
    isVerified ? address : address + " (not verified)"
  }

  /// - Parameters:
  ///   - deactivatedAt: nil if the account is active.
  ///   - eraseAt: nil if the account is not that of a deleted child.
  static func state(deactivatedAt: Date?, eraseAt: Date? = nil) -> String {
    if let eraseAt { return "deleted, erased on \(eraseAt.text)" }
    return deactivatedAt.map { "deactivated \($0.text)" } ?? "active"
  }
}
