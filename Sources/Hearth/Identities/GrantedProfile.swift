/// Profile data that a provider shares at sign-up, beyond the identity.
struct GrantedProfile: Sendable {
  var currentCity: String?
  var hometown: String?
  var company: String?
  /// The bytes of a picture that is not validated yet.
  var picture: [UInt8]?
}
