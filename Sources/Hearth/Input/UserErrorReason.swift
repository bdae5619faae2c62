extension UserError {
  /// The rule that was violated, where a mutation reports several for one field with the same code: `reason` is then
  /// different for each, so that apps can translate the messages. The schema describes the reasons.
  enum Reason: String, CaseIterable, Sendable {
    // Texts
    case combiningMarks = "COMBINING_MARKS"
    case controlCharacters = "CONTROL_CHARACTERS"
    case invisibleCharacters = "INVISIBLE_CHARACTERS"

    // Days and times
    case inFuture = "IN_FUTURE"
    case tooLongAgo = "TOO_LONG_AGO"
    case equalTimes = "EQUAL_TIMES"
    case tooSoon = "TOO_SOON"

    // Pictures
    case pictureBytes = "PICTURE_BYTES"
    case picturePixels = "PICTURE_PIXELS"
    case pictureDamaged = "PICTURE_DAMAGED"

    // Accounts
    case commonPassword = "COMMON_PASSWORD"
    case repeatedCharacter = "REPEATED_CHARACTER"
    case ownNameOrAddress = "OWN_NAME_OR_ADDRESS"
    case noPassword = "NO_PASSWORD"
    case emailNotShared = "EMAIL_NOT_SHARED"
    case reactivatable = "REACTIVATABLE"

    // Tokens
    case tokenReused = "TOKEN_REUSED"
    case emailChangeReplaced = "EMAIL_CHANGE_REPLACED"
    case childRemoved = "CHILD_REMOVED"

    // Families
    case hasChildren = "HAS_CHILDREN"
    case hasDeletedChild = "HAS_DELETED_CHILD"
    case hasOtherParent = "HAS_OTHER_PARENT"
    case familyNotAccepting = "FAMILY_NOT_ACCEPTING"
    case invitationInUse = "INVITATION_IN_USE"
    case tooManyParents = "TOO_MANY_PARENTS"
    case parentRemovalOpen = "PARENT_REMOVAL_OPEN"
    case onlyParent = "ONLY_PARENT"
    case onlyMember = "ONLY_MEMBER"

    // People
    case isViewer = "IS_VIEWER"
    case tooManyRequests = "TOO_MANY_REQUESTS"
    case addressBookFull = "ADDRESS_BOOK_FULL"
    case tooManyAddresses = "TOO_MANY_ADDRESSES"

    // Groups
    case notAdmin = "NOT_ADMIN"
    case notMember = "NOT_MEMBER"
    case lastAdmin = "LAST_ADMIN"
    case invitedRole = "INVITED_ROLE"
    case tooManyGroups = "TOO_MANY_GROUPS"
    case removedFromGroup = "REMOVED_FROM_GROUP"

    // Chores and points
    case tooManyRepeatingChores = "TOO_MANY_REPEATING_CHORES"
    case tooManyChores = "TOO_MANY_CHORES"
    case tooManyReminders = "TOO_MANY_REMINDERS"
    case choreClosed = "CHORE_CLOSED"
    case finishedByOther = "FINISHED_BY_OTHER"
    case choreNotOpen = "CHORE_NOT_OPEN"
    case reminderAnswered = "REMINDER_ANSWERED"
    case zeroPoints = "ZERO_POINTS"
    case otherContract = "OTHER_CONTRACT"
    case noPoints = "NO_POINTS"
    case fewerPointsLeft = "FEWER_POINTS_LEFT"
    case noPointsLeft = "NO_POINTS_LEFT"

    // Devices
    case notPublicKey = "NOT_PUBLIC_KEY"
  }
}
