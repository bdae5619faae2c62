/// The form of a page.
struct PageForm: Sendable {
  struct Field: Sendable {
    enum Kind: String, Sendable {
      case text, email, password, date, tel
    }

    let name: String
    let label: String
    let kind: Kind
    /// The purpose of the field, for password managers and assistive technology (WCAG 2.2, 1.3.5).
    let autocomplete: String
    var hint: String?
    /// What was sent, except for passwords.
    var value = ""
    var error: String?
  }

  let page: AccountPage
  let language: MailLanguage
  /// From the link; nil if the person has to enter the code of the mail.
  let token: String?
  /// Whether a registration began with an invitation to a family.
  let isInvited: Bool
  var fields: [Field]
  /// An error that does not belong to a field.
  var error: String?

  /// - Parameter requirements: the values of `Configuration.registrationRequires`.
  init(
    _ page: AccountPage,
    in language: MailLanguage,
    token: String?,
    requirements: Set<String>,
    sent: (String) -> String? = { _ in nil }
  ) {
    self.page = page
    self.language = language
    self.token = token.flatMap { $0.isEmpty ? nil : $0 }
    isInvited = page == .register && sent("invited") != nil
    let texts = PageTexts.texts(in: language)
    var fields: [Field] = []
    if self.token == nil, page != .register {
      fields.append(Field(name: "token", label: texts.code, kind: .text, autocomplete: "off"))
    }
    let email = Field(name: "email", label: texts.email, kind: .email, autocomplete: "username")
    switch page {
    case .verifyEmail, .confirmEmail, .stopInvitations: break
    case .resetPassword: fields += Self.newPasswords(texts.newPassword, texts: texts)
    case .acceptInvitation:
      fields += [
        email, Field(name: "password", label: texts.password, kind: .password, autocomplete: "current-password"),
      ]
    case .register:
      if requirements.contains("name") {
        fields.append(Field(name: "name", label: texts.name, kind: .text, autocomplete: "name"))
      }
      fields.append(email)
      if requirements.contains("phone") {
        fields.append(Field(name: "phone", label: texts.phone, kind: .tel, autocomplete: "tel"))
      }
      if requirements.contains("dateOfBirth") {
        fields.append(Field(name: "dateOfBirth", label: texts.dateOfBirth, kind: .date, autocomplete: "bday"))
      }
      fields += Self.newPasswords(texts.password, texts: texts)
    }
    self.fields = fields.map { field in
      var field = field
      if field.kind != .password { field.value = sent(field.name) ?? "" }
      return field
    }
  }

  private static func newPasswords(_ label: String, texts: PageTexts) -> [Field] {
    [
      Field(
        name: "newPassword",
        label: label,
        kind: .password,
        autocomplete: "new-password",
        hint: texts.passwordHint
      ),
      Field(name: "repeatedPassword", label: texts.repeatedPassword, kind: .password, autocomplete: "new-password"),
    ]
  }

  var hasErrors: Bool { error != nil || fields.contains { $0.error != nil } }

  /// Reports an error at the field, or above the form if there is no such field.
  mutating func reject(_ name: String, sentence: String) {
    if let index = fields.firstIndex(where: { $0.name == name }) {
      if fields[index].error == nil { fields[index].error = sentence }
    } else if error == nil {
      error = sentence
    }
  }
}
