import Testing

extension Documents {
  static let invitation =
    "invitation { id email status createdAt expiresAt invitedBy { name } claimedBy { id name } claimedAt }"
  static let invitations = """
    { family { invitations { id email status createdAt expiresAt invitedBy { name } claimedBy { id name } claimedAt } } }
    """
  static let cancelInvitation = """
    mutation ($id: ID!) { cancelFamilyInvitation(input: { invitationId: $id }) { removedId \(errors) } }
    """
  static let confirmInvitation = """
    mutation ($id: ID!, $person: ID!) { confirmFamilyInvitation(input: { invitationId: $id, personId: $person }) {
      family { id parents { name } } \(errors) } }
    """
  static let leaveFamily = """
    mutation ($password: String!) { leaveFamily(input: { password: $password }) {
      family { id name timeZone parents { name } children { name } chores { totalCount } } \(errors) } }
    """
  static let removal = "id requestedAt effectiveAt parent { id name } requestedBy { name }"
  static let requestRemoval = """
    mutation ($person: ID!, $password: String!) {
      requestParentRemoval(input: { personId: $person, password: $password }) {
        removal { \(removal) } family { id parents { name } } \(errors) } }
    """
  static let objectToRemoval = """
    mutation ($id: ID!) { objectToParentRemoval(input: { removalId: $id }) { removedId \(errors) } }
    """
  static let cancelRemoval = """
    mutation ($id: ID!) { cancelParentRemoval(input: { removalId: $id }) { removedId \(errors) } }
    """
  static let parents = "{ family { id parents { name } parentRemoval { \(removal) } } }"
}

/// Actions of parents with their families.
extension Household {
  /// Invites another parent, who has verified the address, and accepts.
  func admit(_ other: Household, on server: TestServer) async throws {
    try await other.verifyEmail(on: server)
    let invited = try await parent.perform(Documents.inviteParent, ["email": .string(other.email)])
    try #require(invited.userErrors.isEmpty, "\(invited)")
    let token = Value.string(try await server.mail(to: other.email, about: "invites").token)
    let accepted = try await other.parent.perform(Documents.acceptInvitation, ["token": token])
    try #require(accepted["family.id"] == .string(familyID), "\(accepted)")
  }

  func parents() async throws -> [String] {
    try await parent.ask(Documents.parents)["data.family.parents"].each("name").compactMap(\.string)
  }

  func requestRemoval(of other: Household) async throws -> Outcome {
    try await parent.perform(
      Documents.requestRemoval,
      ["person": .string(other.personID), "password": .string(Self.password)]
    )
  }
}
