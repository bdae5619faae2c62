extension Letter {
  /// The requested removal of a parent from a family.
  struct ParentRemoval {
    let parent: String
    let requestedBy: String
    /// When it takes effect, in the family's time zone.
    let day: String
  }

  /// For every parent of the family, when a removal is requested.
  static func parentRemovalRequested(firstName: String, _ removal: ParentRemoval) -> Letter {
    Letter(
      subject: "A parent is to be removed from your family",
      paragraphs: [
        .text("Hello \(firstName),"),
        .text(
          "\(removal.requestedBy) has asked to remove \(removal.parent) from your family on Hearth. This takes effect on "
            + "\(removal.day), unless \(removal.parent) objects in the app before."
        ),
        .text("If you are \(removal.requestedBy) and did not ask for this, change your password and cancel it."),
      ]
    )
  }

  /// For the parent who was removed.
  static func parentRemoved(firstName: String) -> Letter {
    Letter(
      subject: "You were removed from your family",
      paragraphs: [
        .text("Hello \(firstName),"),
        .text(
          "you are no longer a parent of your family on Hearth. Your account stays, with your contacts and groups, and has "
            + "a new family of its own."
        ),
      ]
    )
  }

  /// For the parent who has left the family.
  static func parentLeft(firstName: String) -> Letter {
    Letter(
      subject: "You have left your family",
      paragraphs: [
        .text("Hello \(firstName),"),
        .text(
          "you have left your family on Hearth. Your account stays, with your contacts and groups, and has a new family of "
            + "its own."
        ),
        .text(
          "If you did not do this, somebody else knows your password. Change it, and ask the other parent to invite you again."
        ),
      ]
    )
  }
}
