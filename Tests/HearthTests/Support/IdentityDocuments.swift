extension Documents {
  private static let credentials = """
    credentials { accessToken tokenType expiresAt refreshToken viewer { __typename ... on Node { id } } } \(errors)
    """

  static let requestReset = """
    mutation ($email: String!) { requestPasswordReset(email: $email) { requested \(errors) } }
    """
  static let reset = """
    mutation ($token: String!, $new: String!) { resetPassword(token: $token, newPassword: $new) { \(credentials) } }
    """
  static let verifyEmail = """
    mutation ($token: String!) { verifyEmail(token: $token) { account { id emailVerified } \(errors) } }
    """
  static let signInCode = """
    query ($id: ID!) { family { child(id: $id) { signInCode { token url expiresAt svg } } } }
    """
  static let signInWithCode = """
    mutation ($token: String!, $device: String) { signInWithCode(token: $token, device: $device) { \(credentials) } }
    """
  static let inviteParent = """
    mutation ($email: String!) { inviteParent(email: $email) { family { id } \(invitation) \(errors) } }
    """
  static let acceptInvitation = """
    mutation ($token: String!) { acceptFamilyInvitation(token: $token) {
      family { id name parents { name } children { name } } \(invitation) \(errors) } }
    """
  static let sessions = "{ viewer { ... on Account { sessions { id device createdAt lastUsedAt current } } } }"
  static let endSession = "mutation ($id: ID!) { endSession(id: $id) { ended \(errors) } }"
  static let changePassword = """
    mutation ($old: String!, $new: String!) { changePassword(oldPassword: $old, newPassword: $new) {
      account { id email } \(errors) } }
    """
  static let deactivate = """
    mutation ($password: String!) { deactivateAccount(password: $password) { deactivated \(errors) } }
    """
}

extension Documents {
  static let signInWithIdentity = """
    mutation ($input: IdentitySignInInput!) { signInWithIdentity(input: $input) {
      credentials { accessToken refreshToken expiresAt viewer { __typename ... on Account {
        id email emailVerified hidesEmail name firstName lastName dateOfBirth gender family { id name } identities { provider email linkedAt }
        sessions { device } } } }
      \(errors)
    } }
    """
  static let linkIdentity = """
    mutation ($input: IdentitySignInInput!) { linkIdentity(input: $input) {
      account { id email identities { provider email linkedAt } } \(errors) } }
    """
  static let unlinkIdentity = """
    mutation ($provider: IdentityProvider!) { unlinkIdentity(provider: $provider) {
      account { id identities { provider } } \(errors) } }
    """
  static let resendVerification = "mutation { resendVerificationEmail { sent \(errors) } }"
}
