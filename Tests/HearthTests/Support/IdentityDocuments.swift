extension Documents {
  private static let credentials = """
    credentials { accessToken tokenType expiresAt refreshToken viewer { __typename ... on Node { id } } } \(errors)
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
