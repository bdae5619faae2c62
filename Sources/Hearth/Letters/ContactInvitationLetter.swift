extension Letter {
  /// To an address whose owner somebody wants to be in contact with. What the inviter has written to them is not in it:
  /// it waits in the app, so that nobody can send what they like to whom they like in our name.
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
        .text("If you do not know \(inviter), you need not do anything."),
      ]
    )
  }
}
