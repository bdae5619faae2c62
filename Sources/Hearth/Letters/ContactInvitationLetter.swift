extension Letter {
  /// For an address that a user wants as a contact. It does not contain the inviter's message, which waits in the app,
  /// so that nobody can send arbitrary text to arbitrary addresses in our name.
  static func contactInvitation(from inviter: String, _ link: String) -> Letter {
    Letter(
      subject: "\(inviter) wants to be in contact with you",
      paragraphs: [
        .text("Hello,"),
        .text(
          "\(inviter) would like to have you in their address book on Hearth, and to be in yours. Register with this "
            + "address and confirm it: the request waits for you there."
        ),
        .link("Register", url: link),
        .text("If you do not know \(inviter), you can ignore this e-mail."),
      ]
    )
  }
}
