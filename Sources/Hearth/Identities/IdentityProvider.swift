import Storage

/// A provider of identities.
package enum IdentityProvider: String, StoredEnumeration {
  case apple = "APPLE", google = "GOOGLE", facebook = "FACEBOOK"

  /// The name for display.
  var title: String {
    switch self {
    case .apple: "Apple"
    case .google: "Google"
    case .facebook: "Facebook"
    }
  }
}
