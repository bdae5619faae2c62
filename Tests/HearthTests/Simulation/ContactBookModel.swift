/// The contact book's rules, as short as they can be said: people are numbers, in the order in which they registered,
/// and groups too. What somebody does says whether it is granted.
struct ContactBookModel {
  struct Member: Equatable {
    let person: Int
    var isAdmin: Bool
    /// The scopes that they have agreed to show.
    var agreed: Set<String>
    let since: Int
  }

  struct Group: Equatable {
    /// The longest-standing first, and of those who came at once the first who registered.
    var members: [Member] = []
    /// Who invited each.
    var invited: [Int: Int] = [:]
    var sharing: Set<String> = []
    var access = "OPEN"
    /// The scopes that each requester has agreed to show.
    var requests: [Int: Set<String>] = [:]
    /// Until they are members again.
    var removed: Set<Int> = []
    /// For 30 days, which no simulation lasts.
    var rejected: Set<Int> = []

    func index(of person: Int) -> Int? { members.firstIndex { $0.person == person } }
    /// Only members and invited people see a group by invitation.
    func isVisible(to person: Int) -> Bool {
      access != "BY_INVITATION" || index(of: person) != nil || invited[person] != nil
    }

    func excludes(_ person: Int) -> Bool { removed.contains(person) || rejected.contains(person) }

    mutating func add(_ person: Int, agreed: Set<String>, since moment: Int) {
      invited[person] = nil
      requests[person] = nil
      removed.remove(person)
      rejected.remove(person)
      members.append(Member(person: person, isAdmin: false, agreed: agreed, since: moment))
      members.sort { ($0.since, $0.person) < ($1.since, $1.person) }
    }

    /// Only admins can invite people to a group that is not open.
    mutating func withdrawInvitations() {
      if access != "OPEN" { invited = invited.filter { isAdmin($0.value) } }
    }

    func isAdmin(_ person: Int) -> Bool { members.contains { $0.person == person && $0.isAdmin } }
  }

  /// The scopes that the first shares with the second; both directions exist, or neither.
  var sharing: [[Int]: Set<String>] = [:]
  /// The scopes that the first offers to the second.
  var requests: [[Int]: Set<String>] = [:]
  /// Pairs in which the second has rejected the first and has not asked them since.
  var rejections: Set<[Int]> = []
  /// Keyed by number, without deleted ones.
  var groups: [Int: Group] = [:]
  /// Moves on between what is done at once.
  var moment = 0

  // MARK: Contacts

  mutating func request(_ one: Int, _ other: Int, _ offered: Set<String>) -> Bool {
    guard one != other, sharing[[one, other]] == nil else { return false }
    if requests[[one, other]] != nil { return true }
    if let theirs = requests.removeValue(forKey: [other, one]) {
      sharing[[one, other]] = offered
      sharing[[other, one]] = theirs
      return true
    }
    guard !rejections.contains([one, other]) else { return false }
    requests[[one, other]] = offered
    rejections.remove([other, one])
    return true
  }

  mutating func accept(_ one: Int, of other: Int, _ shared: Set<String>) -> Bool {
    guard let theirs = requests.removeValue(forKey: [other, one]) else { return false }
    sharing[[one, other]] = shared
    sharing[[other, one]] = theirs
    return true
  }

  mutating func reject(_ one: Int, of other: Int) -> Bool {
    guard requests.removeValue(forKey: [other, one]) != nil else { return false }
    rejections.insert([other, one])
    return true
  }

  mutating func cancel(_ one: Int, _ other: Int) -> Bool { requests.removeValue(forKey: [one, other]) != nil }

  mutating func share(_ one: Int, _ other: Int, _ shared: Set<String>) -> Bool {
    guard sharing[[one, other]] != nil else { return false }
    sharing[[one, other]] = shared
    return true
  }

  mutating func remove(_ one: Int, _ other: Int) -> Bool {
    sharing[[other, one]] = nil
    return sharing.removeValue(forKey: [one, other]) != nil
  }

  // MARK: Groups

  mutating func createGroup(_ person: Int, _ group: Int, _ shared: Set<String>) -> Bool {
    let founder = Member(person: person, isAdmin: true, agreed: shared, since: moment)
    groups[group] = Group(members: [founder], sharing: shared)
    return true
  }

  mutating func join(_ person: Int, _ group: Int) -> Bool {
    guard var changed = groups[group], changed.isVisible(to: person) else { return false }
    if let index = changed.index(of: person) {
      changed.members[index].agreed = changed.sharing
    } else if changed.invited[person] == nil && changed.excludes(person) {
      return false
    } else if changed.invited[person] != nil || changed.access == "OPEN" {
      changed.add(person, agreed: changed.sharing, since: moment)
    } else {
      changed.requests[person] = changed.sharing
    }
    groups[group] = changed
    return true
  }

  mutating func invite(_ one: Int, _ other: Int, to group: Int) -> Bool {
    guard var changed = groups[group], changed.index(of: one) != nil else { return false }
    let isAdmin = changed.isAdmin(one)
    guard isAdmin || changed.access == "OPEN" else { return false }
    if changed.index(of: other) != nil || changed.invited[other] != nil { return true }
    // It is not shown who is excluded.
    guard isAdmin || !changed.excludes(other) else { return true }
    if isAdmin, let agreed = changed.requests[other] {
      changed.add(other, agreed: agreed.intersection(changed.sharing), since: moment)
    } else {
      changed.requests[other] = nil
      changed.invited[other] = one
    }
    groups[group] = changed
    return true
  }

  mutating func leave(_ person: Int, _ group: Int) -> Bool {
    guard var changed = groups[group], changed.isVisible(to: person) else { return false }
    if changed.index(of: person) == nil && changed.invited[person] == nil {
      guard changed.requests.removeValue(forKey: person) != nil else { return false }
      groups[group] = changed
      return true
    }
    changed.invited[person] = nil
    changed.members.removeAll { $0.person == person }
    if !changed.members.isEmpty && !changed.members.contains(where: \.isAdmin) { changed.members[0].isAdmin = true }
    changed.withdrawInvitations()
    groups[group] = changed.members.isEmpty ? nil : changed
    return true
  }

  mutating func removeMember(_ one: Int, _ other: Int, from group: Int) -> Bool {
    guard var changed = groups[group], changed.isAdmin(one), one != other else { return false }
    if changed.index(of: other) == nil {
      guard changed.invited.removeValue(forKey: other) != nil else { return false }
      groups[group] = changed
      return true
    }
    changed.members.removeAll { $0.person == other }
    changed.removed.insert(other)
    changed.invited = changed.invited.filter { $0.value != other }
    groups[group] = changed
    return true
  }

  mutating func setAccess(_ person: Int, _ group: Int, _ access: String) -> Bool {
    guard var changed = groups[group], changed.isAdmin(person) else { return false }
    let accesses = ["OPEN", "BY_REQUEST", "BY_INVITATION"]
    if let new = accesses.firstIndex(of: access), let old = accesses.firstIndex(of: changed.access), new < old {
      // More people can join, so that the others have to agree again.
      for index in changed.members.indices where changed.members[index].person != person {
        changed.members[index].agreed = []
      }
      changed.requests = changed.requests.mapValues { _ in [] }
    }
    changed.access = access
    changed.withdrawInvitations()
    if access == "BY_INVITATION" { changed.requests = [:] }
    groups[group] = changed
    return true
  }

  mutating func acceptRequest(_ one: Int, of other: Int, to group: Int) -> Bool {
    guard var changed = groups[group], changed.isAdmin(one), let agreed = changed.requests[other] else { return false }
    changed.add(other, agreed: agreed.intersection(changed.sharing), since: moment)
    groups[group] = changed
    return true
  }

  mutating func rejectRequest(_ one: Int, of other: Int, to group: Int) -> Bool {
    guard groups[group]?.isAdmin(one) == true else { return false }
    guard groups[group]?.requests.removeValue(forKey: other) != nil else { return false }
    groups[group]?.rejected.insert(other)
    return true
  }

  mutating func setRole(_ one: Int, of other: Int, isAdmin: Bool, in group: Int) -> Bool {
    guard let known = groups[group], known.isAdmin(one), let index = known.index(of: other) else { return false }
    let wasAdmin = known.members[index].isAdmin
    let hasOthers = known.members.contains { $0.isAdmin && $0.person != other }
    guard isAdmin || !wasAdmin || hasOthers else { return false }
    groups[group]?.members[index].isAdmin = isAdmin
    groups[group]?.withdrawInvitations()
    return true
  }

  mutating func setSharing(_ person: Int, _ group: Int, _ shared: Set<String>) -> Bool {
    guard var changed = groups[group], changed.isAdmin(person) else { return false }
    changed.sharing = shared
    // A scope that is added again requires a new agreement.
    for index in changed.members.indices { changed.members[index].agreed.formIntersection(shared) }
    changed.requests = changed.requests.mapValues { $0.intersection(shared) }
    if let own = changed.index(of: person) { changed.members[own].agreed = shared }
    groups[group] = changed
    return true
  }

  mutating func deleteGroup(_ person: Int, _ group: Int) -> Bool {
    guard groups[group]?.isAdmin(person) == true else { return false }
    groups[group] = nil
    return true
  }

  // MARK: Visibility

  /// The scopes that `one` sees of `other`.
  func shown(_ one: Int, of other: Int, all: Set<String>) -> Set<String> {
    if one == other { return all }
    return groups.values.reduce(sharing[[other, one]] ?? []) { shown, group in
      guard group.index(of: one) != nil, let index = group.index(of: other) else { return shown }
      return shown.union(group.sharing.intersection(group.members[index].agreed))
    }
  }

  func relation(_ one: Int, _ other: Int) -> String {
    if one == other { return "SELF" }
    if sharing[[one, other]] != nil { return "CONTACT" }
    if requests[[one, other]] != nil { return "REQUEST_SENT" }
    return requests[[other, one]] != nil ? "REQUEST_RECEIVED" : "NONE"
  }

  func role(of person: Int, in group: Group) -> String? {
    if group.isAdmin(person) { return "ADMIN" }
    if group.index(of: person) != nil { return "MEMBER" }
    return group.invited[person] != nil ? "INVITED" : nil
  }
}
