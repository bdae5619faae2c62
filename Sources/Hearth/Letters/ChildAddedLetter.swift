extension Letter {
  /// For the parent who added a child.
  static func childAdded(firstName: String, child: String, username: String?) -> Letter {
    Letter(
      subject: "\(child) was added to your family",
      paragraphs: [
        .text("Hello \(firstName),"),
        .text("\(child) is part of your family now."),
        .text(
          "To sign in, \(child) uses your password together with "
            + (username == nil ? "the username that you see in the app." : "this username:")
        ),
        username.map { .code($0) },
        .text("If you did not add a child, somebody else knows your password. Please change it."),
      ].compactMap(\.self)
    )
  }
}
