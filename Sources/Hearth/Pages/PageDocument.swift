import GraphQLTransport

/// The operations that the forms of pages execute. They are trusted documents, so that the pages also work on a server
/// that executes no others.
enum PageDocument: String, CaseIterable {
  case verifyEmail, resetPassword, confirmEmailChange, signIn, acceptFamilyInvitation, register, signOut,
    stopInvitations

  /// The name by which it is requested.
  var id: String { "hearth/pages/\(rawValue)" }

  private var text: String {
    switch self {
    case .verifyEmail: "mutation ($token: String!) { verifyEmail(token: $token) { userErrors { field code } } }"
    case .resetPassword:
      """
      mutation ($input: ResetPasswordInput!) {
        resetPassword(input: $input) { credentials { accessToken } userErrors { field code } } }
      """
    case .confirmEmailChange:
      "mutation ($token: String!) { confirmEmailChange(token: $token) { userErrors { field code } } }"
    case .signIn:
      """
      mutation ($input: SignInInput!) {
        signIn(input: $input) { credentials { accessToken } userErrors { field code } } }
      """
    case .acceptFamilyInvitation:
      """
      mutation ($token: String!) {
        acceptFamilyInvitation(token: $token) { family { name } userErrors { field code } } }
      """
    case .register:
      """
      mutation ($input: RegisterInput!) {
        register(input: $input) { credentials { accessToken } userErrors { field code } } }
      """
    case .stopInvitations:
      "mutation ($token: String!) { stopInvitations(token: $token) { userErrors { field code } } }"
    case .signOut: "mutation { signOut { signedOut userErrors { field code } } }"
    }
  }

  static func insert(_ selected: [PageDocument], into documents: inout TrustedDocuments) {
    for document in selected { _ = documents.insert(Array(document.text.utf8), as: document.id) }
  }
}
