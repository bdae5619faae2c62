/// The session of a caller, and for whom its connections are counted. The connections end with it.
package struct SessionIdentity: Sendable {
  let id: Int64
  /// What the rights of the session follow from, such as the family of its member. It can change while the session
  /// continues.
  let rights: Int64
  /// The person whose connections are counted.
  let person: Int64
  /// The family whose connections are counted together; nil if they are not. One account can have many persons in it.
  let family: Int64?
  /// Milliseconds until the access token expires; nil if it does not.
  let expiresIn: Int64?

  package init(id: Int64, rights: Int64, person: Int64, family: Int64? = nil, expiresIn: Int64? = nil) {
    self.id = id
    self.rights = rights
    self.person = person
    self.family = family
    self.expiresIn = expiresIn
  }
}
