extension FacebookGraph {
  /// A friend who uses this app too: Facebook tells of no others. Their id is the one that this app knows them by.
  struct Friend: Decodable, Sendable {
    let id: Identifier
    let name: String?
  }

  private struct Friends: Decodable {
    struct Paging: Decodable {
      struct Cursors: Decodable { let after: String? }
      let cursors: Cursors?
      /// There is another page. Its address has the token in it and is not followed: it is made anew.
      let next: String?
    }
    let data: [Friend]
    let paging: Paging?
  }

  private static let friendsOfPage = 200
  /// Nobody has more than 5,000 friends there.
  private static let mostPages = 25

  /// Blocks: never on a loop.
  func friends(with token: String, at now: Int64) -> Result<[Friend], IdentityFailure> {
    Result { () throws(IdentityFailure) in
      _ = try user(of: token, at: now)
      var friends: [Friend] = []
      var place: [(name: String, value: String)] = []
      for _ in 0..<Self.mostPages {
        let limit = [(name: "limit", value: String(Self.friendsOfPage))]
        let page: Friends = try ask("me/friends", for: "id,name", limit + place, with: token)
        friends += page.data.prefix(Self.friendsOfPage)
        guard page.paging?.next != nil, let after = page.paging?.cursors?.after, !page.data.isEmpty else { break }
        place = [("after", after)]
      }
      return friends
    }
  }
}
