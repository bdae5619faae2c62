extension Letter {
  /// For a person who has forgotten their password.
  static func passwordReset(firstName: String, _ link: String, code: String) -> Letter {
    Letter(
      subject: "Choose a new password",
      paragraphs: [
        .text("Hello \(firstName),"),
        .text(
          "a new password was requested for your account, most likely by you. You can choose it within an hour."
        ),
        .link("Choose a new password", url: link),
        .text("Or enter this code in the app:"),
        .code(code),
        .text("If you did not request this, you can ignore this e-mail. Your password stays the same."),
      ]
    )
  }
}
