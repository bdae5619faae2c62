extension Letter {
  /// For a person who has deleted their account.
  static func accountDeletion(firstName: String, day: String) -> Letter {
    Letter(
      subject: "Your account will be erased",
      paragraphs: [
        .text("Hello \(firstName),"),
        .text(
          "your account on Hearth was deleted. It and everything about you will be erased on \(day). Until then you can "
            + "sign in with your password to keep it."
        ),
        .text("If you did not delete it, sign in, keep the account, and change your password."),
      ]
    )
  }

  /// For each parent of a child that was deleted.
  static func childDeletion(firstName: String, child: String, day: String) -> Letter {
    Letter(
      subject: "\(child) was deleted from your family",
      paragraphs: [
        .text("Hello \(firstName),"),
        .text(
          "\(child) was deleted from your family on Hearth. Everything about \(child) will be erased on \(day). Until then "
            + "each parent can restore \(child) in the app."
        ),
      ]
    )
  }
}
