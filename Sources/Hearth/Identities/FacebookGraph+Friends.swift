extension FacebookGraph {
  /// A friend who uses this app too. Facebook does not list others. The id is scoped to this app.
  struct Friend: Decodable, Sendable {
    let id: Identifier
    let name: String?
  }

  private struct Friends: Decodable {
    struct Paging: Decodable {
      struct Cursors: Decodable { let after: String? }
      let cursors: Cursors?
      /// Present if there is another page. This URL contains the token, so it is not followed: the next page is
      /// requested by its cursor.
      let next: String?
    }
    let data: [Friend]
    let paging: Paging?
  }

  private static let friendsOfPage = 200
  /// Facebook limits an account to 5,000 friends.
  private static let maximumPages = 25

  /// Blocks, so it must not be called on an event loop.
  func friends(with token: String, at now: Int64) -> Result<[Friend], IdentityFailure> {
    Result { () throws(IdentityFailure) in
      _ = try user(of: token, at: now)
      var friends: [Friend] = []
      var cursor: [(name: String, value: String)] = []
      for _ in 0..<Self.maximumPages {
        let limit = [(name: "limit", value: String(Self.friendsOfPage))]
        let page: Friends = try fetch("me/friends", for: "id,name", limit + cursor, with: token)
        friends += page.data.prefix(Self.friendsOfPage)
        guard page.paging?.next != nil, let after = page.paging?.cursors?.after, !page.data.isEmpty else { break }
        cursor = [("after", after)]
      }
      return friends
    }
  }
}
