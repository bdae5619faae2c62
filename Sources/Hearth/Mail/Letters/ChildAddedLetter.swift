extension Letter {
  /// To the parent who has added a child.
  static func childAdded(firstName: String, child: String, username: String) -> Letter {
    Letter(
      subject: "\(child) was added to your family",
      paragraphs: [
        .text("Hello \(firstName),"),
        .text("\(child) is part of your family now."),
        .text("To sign in, \(child) takes your password together with this username:"),
        .code(username),
        .text("If it was not you who added a child, somebody else knows your password: please change it."),
      ]
    )
  }
}
