/// The contact book's rules, as short as they can be said: people are numbers, and groups too, in the order in which they
/// were made.
struct ContactBookModel {
  struct Group {
    /// Their roles; the longest-standing first.
    var members: [(person: Int, isAdmin: Bool)] = []
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
  /// Those that are gone are nil.
  var groups: [Group?] = []

  // MARK: Contacts

  mutating func request(_ one: Int, _ other: Int, _ offered: Set<String>) {
    guard one != other, sharing[[one, other]] == nil, requests[[one, other]] == nil else { return }
    if let theirs = requests.removeValue(forKey: [other, one]) {
      sharing[[one, other]] = offered
      sharing[[other, one]] = theirs
    } else if !rejections.contains([one, other]) {
      requests[[one, other]] = offered
      rejections.remove([other, one])
    }
  }

  mutating func accept(_ one: Int, of other: Int, _ shared: Set<String>) {
    guard let theirs = requests.removeValue(forKey: [other, one]) else { return }
    sharing[[one, other]] = shared
    sharing[[other, one]] = theirs
  }

  mutating func reject(_ one: Int, of other: Int) {
    if requests.removeValue(forKey: [other, one]) != nil { rejections.insert([other, one]) }
  }

  mutating func end(_ one: Int, _ other: Int) { requests[[one, other]] = nil }

  mutating func share(_ one: Int, _ other: Int, _ shared: Set<String>) {
    if sharing[[one, other]] != nil { sharing[[one, other]] = shared }
  }

  mutating func remove(_ one: Int, _ other: Int) {
    sharing[[one, other]] = nil
    sharing[[other, one]] = nil
  }

  // MARK: Groups

  mutating func createGroup(_ person: Int, _ shared: Set<String>) {
    groups.append(Group(members: [(person, true)], sharing: shared))
  }

  mutating func join(_ person: Int, _ group: Int) {
    guard groups[group]?.place(of: person) == nil else { return }
    groups[group]?.invited.remove(person)
    groups[group]?.members.append((person, false))
  }

  mutating func invite(_ one: Int, _ other: Int, to group: Int) {
    guard groups[group]?.place(of: one) != nil, groups[group]?.place(of: other) == nil else { return }
    groups[group]?.invited.insert(other)
  }

  mutating func leave(_ person: Int, _ group: Int) {
    guard var changed = groups[group] else { return }
    changed.invited.remove(person)
    changed.members.removeAll { $0.person == person }
    if !changed.members.isEmpty && !changed.members.contains(where: \.isAdmin) { changed.members[0].isAdmin = true }
    groups[group] = changed.members.isEmpty ? nil : changed
  }

  mutating func removeMember(_ one: Int, _ other: Int, from group: Int) {
    guard groups[group]?.isAdmin(one) == true, one != other else { return }
    leave(other, group)
  }

  mutating func setRole(_ one: Int, of other: Int, isAdmin: Bool, in group: Int) {
    guard let known = groups[group], known.isAdmin(one), let place = known.place(of: other) else { return }
    guard isAdmin || known.members.contains(where: { $0.isAdmin && $0.person != other }) else { return }
    groups[group]?.members[place].isAdmin = isAdmin
  }

  mutating func setSharing(_ person: Int, _ group: Int, _ shared: Set<String>) {
    if groups[group]?.isAdmin(person) == true { groups[group]?.sharing = shared }
  }

  mutating func deleteGroup(_ person: Int, _ group: Int) {
    if groups[group]?.isAdmin(person) == true { groups[group] = nil }
  }

  // MARK: What is seen

  /// The scopes that `one` sees of `other`.
  func shown(_ one: Int, of other: Int, all: Set<String>) -> Set<String> {
    if one == other { return all }
    return groups.compactMap { $0 }.reduce(sharing[[other, one]] ?? []) { shown, group in
      group.place(of: one) != nil && group.place(of: other) != nil ? shown.union(group.sharing) : shown
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
