extension Letter {
  /// To who has forgotten their password.
  static func passwordReset(firstName: String, _ link: String, code: String) -> Letter {
    Letter(
      subject: "Choose a new password",
      paragraphs: [
        .text("Hello \(firstName),"),
        .text(
          "somebody, most likely you, has asked for a new password for your account. It can be chosen within an hour."
        ),
        .link("Choose a new password", url: link),
        .text("Or enter this code in the app:"),
        .code(code),
        .text("If it was not you, you need not do anything: your password stays as it is."),
      ]
    )
  }
}
