/// The words of the pages behind the links in mails, in one language.
struct PageTexts: Sendable {
  /// A page that asks for something and reports success.
  struct Page: Sendable {
    let title: String
    let text: String
    let button: String
    let doneTitle: String
    let doneText: String
  }

  let verifyEmail: Page
  let resetPassword: Page
  let confirmEmail: Page
  let acceptInvitation: Page
  let register: Page
  let stopInvitations: Page

  /// After an invitation was accepted with an account whose address is not the invited one.
  let waitingTitle: String
  let waitingText: String
  /// Leads people without an account from the invitation to the registration.
  let noAccount: String
  /// After a registration that began with an invitation.
  let registeredForInvitation: String

  let code: String
  let email: String
  let password: String
  let newPassword: String
  let repeatedPassword: String
  let passwordHint: String
  let name: String
  let dateOfBirth: String
  let phone: String

  /// The heading of the list of errors.
  let errorTitle: String
  /// Precedes the title of a page with errors.
  let errorMark: String
  let required: String
  let invalid: String
  let invalidEmail: String
  let linkInvalid: String
  let stopLinkInvalid: String
  let linkExpired: String
  let wrongCredentials: String
  let deactivated: String
  let tooShort: String
  let tooLong: String
  let tooCommon: String
  let mismatch: String
  let emailTaken: String
  let invitationConflict: String
  let rateLimited: String
  let failed: String

  static func texts(in language: MailLanguage) -> PageTexts {
    switch language {
    case .english: english
    case .german: german
    case .french: french
    case .spanish: spanish
    }
  }

  func texts(of page: AccountPage) -> Page {
    switch page {
    case .verifyEmail: verifyEmail
    case .resetPassword: resetPassword
    case .confirmEmail: confirmEmail
    case .acceptInvitation: acceptInvitation
    case .register: register
    case .stopInvitations: stopInvitations
    }
  }
}
