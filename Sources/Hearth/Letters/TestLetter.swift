extension Letter {
  /// For an operator who tries the mail server.
  static let test = Letter(
    subject: "A test of Hearth's mail",
    paragraphs: [
      .text("Hello,"),
      .text("an operator of this server has sent you this e-mail to see whether mail arrives. It does."),
    ]
  )
}
