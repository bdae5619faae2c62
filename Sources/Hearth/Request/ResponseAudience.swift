/// Who gets the same response to a query: by what resolvers have read of the caller.
enum ResponseAudience: Int, Comparable {
  case family, member, session

  static func < (one: ResponseAudience, other: ResponseAudience) -> Bool { one.rawValue < other.rawValue }
}

extension Viewer {
  /// The audience as a number that no other has: the key of the family, the member or the session.
  func key(of audience: ResponseAudience) -> UInt64 {
    switch audience {
    case .family: UInt64(bitPattern: family.rawValue)
    case .member: UInt64(bitPattern: member.rawValue)
    case .session: UInt64(bitPattern: session.rawValue)
    }
  }
}
