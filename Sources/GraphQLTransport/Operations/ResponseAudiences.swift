/// The audiences that a caller belongs to. All callers of an audience get the same response to a request.
package struct ResponseAudiences: Sendable {
  /// The largest audience. The responses to its callers are kept together, and have a common limit.
  package let group: UInt64
  private let member: UInt64
  private let session: UInt64

  /// - Parameters:
  ///   - group: those who can see the same.
  ///   - member: those of the group who are the same person.
  ///   - session: those who have signed in together.
  package init(group: UInt64, member: UInt64, session: UInt64) {
    self.group = group
    self.member = member
    self.session = session
  }

  func contains(_ audience: UInt64) -> Bool { audience == group || audience == member || audience == session }
}
