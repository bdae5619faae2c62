import Storage

/// What a hint to other processes is about. The letters are those of running processes of other versions.
enum HintKind: Character {
  /// The feed of a family, the key, has reached a position, the number.
  case family = "f"
  /// A session, the key, has ended.
  case endedSession = "e"
  /// The member of a session, the key, has moved to another family.
  case movedSession = "m"
  /// The signing keys were replaced.
  case signingKeys = "k"
  /// A picture, whose hash begins with the key, was removed.
  case removedPicture = "p"
  /// An operator has ended the pauses of push channels.
  case resumedPushes = "r"

  init?(of hint: Database.Hint) { self.init(rawValue: Character(Unicode.Scalar(hint.kind))) }

  var letter: UInt8 { rawValue.asciiValue ?? 0 }
}
