import Foundation

/// How the texts of operators' commands show the properties of an account.
enum AccountCell {
  static func email(_ address: String, isVerified: Bool) -> String {
    isVerified ? address : address + " (not verified)"
  }

  /// - Parameter deactivatedAt: nil if the account is active.
  static func state(deactivatedAt: Date?) -> String {
    deactivatedAt.map { "deactivated \($0.text)" } ?? "active"
  }
}
