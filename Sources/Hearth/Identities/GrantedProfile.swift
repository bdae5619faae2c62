/// What a provider tells of somebody who signs up, beyond who they are.
struct GrantedProfile: Sendable {
  var currentCity: String?
  var hometown: String?
  var company: String?
  /// A file that nobody has looked at yet.
  var picture: [UInt8]?
}
