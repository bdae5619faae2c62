/// The contact book's rules, as short as they can be said: people are numbers, in the order in which they registered,
/// and groups too. What somebody does says whether it is granted.
struct ContactBookModel {
  struct Member: Equatable {
    let person: Int
    var isAdmin: Bool
    /// What they have agreed to show.
    var agreed: Set<String>
    let since: Int
  }

  struct Group: Equatable {
    /// The longest-standing first, and of those who came at once the first who registered.
    var members: [Member] = []
    var invited: Set<Int> = []
    var sharing: Set<String> = []

    func place(of person: Int) -> Int? { members.firstIndex { $0.person == person } }
    func isAdmin(_ person: Int) -> Bool { members.contains { $0.person == person && $0.isAdmin } }
  }

  /// What the first shares with the second; both directions are there, or none.
  var sharing: [[Int]: Set<String>] = [:]
  /// What the first offers the second.
  var requests: [[Int]: Set<String>] = [:]
  /// That the second has rejected the first, who has not been asked by them since.
  var rejections: Set<[Int]> = []
  /// By number. Those that are gone are not among them.
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
    guard var changed = groups[group] else { return false }
    if let place = changed.place(of: person) {
      changed.members[place].agreed = changed.sharing
    } else {
      changed.invited.remove(person)
      changed.members.append(Member(person: person, isAdmin: false, agreed: changed.sharing, since: moment))
      changed.members.sort { ($0.since, $0.person) < ($1.since, $1.person) }
    }
    groups[group] = changed
    return true
  }

  mutating func invite(_ one: Int, _ other: Int, to group: Int) -> Bool {
    guard groups[group]?.place(of: one) != nil else { return false }
    if groups[group]?.place(of: other) == nil { groups[group]?.invited.insert(other) }
    return true
  }

  mutating func leave(_ person: Int, _ group: Int) -> Bool {
    guard var changed = groups[group] else { return false }
    guard changed.invited.remove(person) != nil || changed.place(of: person) != nil else { return false }
    changed.members.removeAll { $0.person == person }
    if !changed.members.isEmpty && !changed.members.contains(where: \.isAdmin) { changed.members[0].isAdmin = true }
    groups[group] = changed.members.isEmpty ? nil : changed
    return true
  }

  mutating func removeMember(_ one: Int, _ other: Int, from group: Int) -> Bool {
    guard groups[group]?.isAdmin(one) == true, one != other else { return false }
    return leave(other, group)
  }

  mutating func setRole(_ one: Int, of other: Int, isAdmin: Bool, in group: Int) -> Bool {
    guard let known = groups[group], known.isAdmin(one), let place = known.place(of: other) else { return false }
    let wasAdmin = known.members[place].isAdmin
    let hasOthers = known.members.contains { $0.isAdmin && $0.person != other }
    guard isAdmin || !wasAdmin || hasOthers else { return false }
    groups[group]?.members[place].isAdmin = isAdmin
    return true
  }

  mutating func setSharing(_ person: Int, _ group: Int, _ shared: Set<String>) -> Bool {
    guard let known = groups[group], known.isAdmin(person), let place = known.place(of: person) else { return false }
    groups[group]?.sharing = shared
    groups[group]?.members[place].agreed = shared
    return true
  }

  mutating func deleteGroup(_ person: Int, _ group: Int) -> Bool {
    guard groups[group]?.isAdmin(person) == true else { return false }
    groups[group] = nil
    return true
  }

  // MARK: What is seen

  /// The scopes that `one` sees of `other`.
  func shown(_ one: Int, of other: Int, all: Set<String>) -> Set<String> {
    if one == other { return all }
    return groups.values.reduce(sharing[[other, one]] ?? []) { shown, group in
      guard group.place(of: one) != nil, let place = group.place(of: other) else { return shown }
      return shown.union(group.sharing.intersection(group.members[place].agreed))
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
    if group.place(of: person) != nil { return "MEMBER" }
    return group.invited.contains(person) ? "INVITED" : nil
  }
}
