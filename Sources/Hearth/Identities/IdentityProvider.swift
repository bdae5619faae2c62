/// Who vouches for a person.
package enum IdentityProvider: String, StoredEnumeration {
  case apple = "APPLE", google = "GOOGLE", facebook = "FACEBOOK"

  /// As people know it.
  var title: String {
    switch self {
    case .apple: "Apple"
    case .google: "Google"
    case .facebook: "Facebook"
    }
  }
}
