extension Letter {
  /// For a person who is invited to join a family as a parent.
  static func familyInvitation(from inviter: String, family: String, _ link: String, code: String) -> Letter {
    Letter(
      subject: "\(inviter) invites you to join a family",
      paragraphs: [
        .text("Hello,"),
        .text(
          "\(inviter) invites you to join \"\(family)\" on Hearth as a parent. The invitation is valid for seven days."
        ),
        .link("Accept the invitation", url: link),
        .text("Or enter this code in the app, once you have signed in or registered:"),
        .code(code),
        .text("If you do not know \(inviter), you can ignore this e-mail."),
      ]
    )
  }
}
