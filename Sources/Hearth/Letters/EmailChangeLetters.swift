extension Letter {
  /// For the new address of an account: asks to confirm it.
  static func emailChange(firstName: String, _ link: String, code: String) -> Letter {
    Letter(
      subject: "Confirm your new e-mail address",
      paragraphs: [
        .text("Hello \(firstName),"),
        .text("please confirm within a day that this is the new address of your account on Hearth."),
        .link("Confirm the address", url: link),
        .text("Or enter this code in the app:"),
        .code(code),
        .text("If you did not change your address, you can ignore this e-mail."),
      ]
    )
  }

  /// For the old address of an account that has a new one.
  static func emailChanged(firstName: String) -> Letter {
    Letter(
      subject: "Your e-mail address was changed",
      paragraphs: [
        .text("Hello \(firstName),"),
        .text("your account on Hearth has another e-mail address now. You sign in with it from now on."),
        .text(
          "If you did not change it, somebody else knows your password. Please contact the people who run this app."
        ),
      ]
    )
  }
}
