extension Letter {
  /// To who has registered: asks whether the address is theirs.
  static func emailVerification(firstName: String, _ link: String, code: String) -> Letter {
    Letter(
      subject: "Confirm your e-mail address",
      paragraphs: [
        .text("Hello \(firstName),"),
        .text("welcome to Hearth. Please confirm that this address is yours, within seven days."),
        .link("Confirm the address", url: link),
        .text("Or enter this code in the app:"),
        .code(code),
        .text("If you have not registered, you need not do anything."),
      ]
    )
  }
}
