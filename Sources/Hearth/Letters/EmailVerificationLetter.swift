extension Letter {
  /// For a person who has registered: asks them to verify the address.
  static func emailVerification(firstName: String, _ link: String, code: String) -> Letter {
    Letter(
      subject: "Confirm your e-mail address",
      paragraphs: [
        .text("Hello \(firstName),"),
        .text("welcome to Hearth. Please confirm that this address is yours, within seven days."),
        .link("Confirm the address", url: link),
        .text("Or enter this code in the app:"),
        .code(code),
        .text("If you did not register, you can ignore this e-mail."),
      ]
    )
  }
}
