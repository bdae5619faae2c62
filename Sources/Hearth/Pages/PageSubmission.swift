import GraphQLTransport
import HTTP

/// A form that was sent, and what it leads to.
struct PageSubmission {
  enum Outcome {
    case done(title: String, paragraphs: [String])
    /// The form has the errors.
    case rejected
    case rateLimited
    case failed
  }

  private(set) var form: PageForm
  let fields: FormFields
  let texts: PageTexts

  private func value(_ name: String) -> String { fields[name] ?? "" }

  mutating func run(_ execute: PageExecution) async -> Outcome {
    for field in form.fields where value(field.name).allSatisfy(\.isWhitespace) {
      form.reject(field.name, sentence: texts.required)
    }
    if form.fields.contains(where: { $0.name == "repeatedPassword" }), value("newPassword") != value("repeatedPassword")
    {
      form.reject("repeatedPassword", sentence: texts.mismatch)
    }
    guard !form.hasErrors else { return .rejected }
    let page = texts.texts(of: form.page)
    switch form.page {
    case .verifyEmail:
      return finish(await PageMutation.run(.verifyEmail, variables: ["token": token], execute: execute), page: page)
    case .confirmEmail:
      return finish(
        await PageMutation.run(.confirmEmailChange, variables: ["token": token], execute: execute),
        page: page
      )
    case .stopInvitations:
      return finish(await PageMutation.run(.stopInvitations, variables: ["token": token], execute: execute), page: page)
    case .resetPassword:
      // The page says that a deactivated account is reactivated.
      let input: [String: any Sendable] = ["token": token, "newPassword": value("newPassword"), "reactivate": true]
      let outcome = await PageMutation.run(.resetPassword, variables: ["input": input], execute: execute)
      await signOut(outcome, execute: execute)
      return finish(outcome, page: page)
    case .acceptInvitation: return await accept(execute)
    case .register: return await register(execute)
    }
  }

  /// A code that was copied from a mail can have spaces around it.
  private var token: String { value("token").filter { !$0.isWhitespace } }

  private mutating func accept(_ execute: PageExecution) async -> Outcome {
    let page = texts.acceptInvitation
    let input: [String: any Sendable] = [
      "email": value("email"), "password": value("password"), "rememberMe": false,
    ]
    let signedIn = await PageMutation.run(.signIn, variables: ["input": input], execute: execute)
    guard signedIn.isDone, let accessToken = signedIn.accessToken else { return finish(signedIn, page: page) }
    let accepted = await PageMutation.run(
      .acceptFamilyInvitation,
      variables: ["token": token],
      accessToken: accessToken,
      execute: execute
    )
    await signOut(signedIn, execute: execute)
    guard accepted.isDone else { return finish(accepted, page: page) }
    guard let family = accepted.familyName else {
      return .done(title: texts.waitingTitle, paragraphs: [texts.waitingText])
    }
    return .done(title: page.doneTitle, paragraphs: [family, page.doneText])
  }

  private mutating func register(_ execute: PageExecution) async -> Outcome {
    var input: [String: any Sendable] = [
      "email": value("email"), "password": value("newPassword"), "locale": form.language.rawValue,
    ]
    for field in form.fields where ["name", "phone", "dateOfBirth"].contains(field.name) {
      input[field.name] = value(field.name)
    }
    let outcome = await PageMutation.run(.register, variables: ["input": input], execute: execute)
    await signOut(outcome, execute: execute)
    return finish(outcome, page: texts.register)
  }

  /// The page keeps no session: people go on in their app.
  private func signOut(_ outcome: PageMutation, execute: PageExecution) async {
    guard let accessToken = outcome.accessToken else { return }
    _ = await PageMutation.run(.signOut, accessToken: accessToken, execute: execute)
  }

  private mutating func finish(_ outcome: PageMutation, page: PageTexts.Page) -> Outcome {
    if outcome.isDone {
      return .done(
        title: page.doneTitle,
        paragraphs: [page.doneText] + (form.isInvited ? [texts.registeredForInvitation] : [])
      )
    }
    switch outcome.requestError {
    case nil: break
    case "RATE_LIMITED":
      form.reject("", sentence: texts.rateLimited)
      return .rateLimited
    case "BAD_USER_INPUT":
      // Variables are text as typed, of which only a date has a form of its own.
      form.reject("dateOfBirth", sentence: texts.invalid)
      return .rejected
    default:
      form.reject("", sentence: texts.failed)
      return .failed
    }
    for fault in outcome.faults { form.reject(field(of: fault), sentence: sentence(about: fault)) }
    return .rejected
  }

  /// The form's field for that of the mutation.
  private func field(of fault: PageMutation.Fault) -> String {
    form.page == .register && fault.field == "password" ? "newPassword" : fault.field
  }

  private func sentence(about fault: PageMutation.Fault) -> String {
    switch fault.code {
    case .blank: texts.required
    case .notFound where form.page == .stopInvitations: texts.stopLinkInvalid
    case .notFound: fault.field == "token" ? texts.linkInvalid : texts.invalid
    case .expired: texts.linkExpired
    case .wrongCredentials: texts.wrongCredentials
    case .deactivated: texts.deactivated
    case .tooShort: texts.tooShort
    case .tooLong: texts.tooLong
    case .tooCommon: texts.tooCommon
    case .mismatch: texts.mismatch
    case .taken: texts.emailTaken
    case .conflict, .notAllowed: form.page == .acceptInvitation ? texts.invitationConflict : texts.invalid
    case .invalid: fault.field == "email" ? texts.invalidEmail : texts.invalid
    default: texts.invalid
    }
  }
}
