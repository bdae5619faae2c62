import GraphQL
import Storage

/// The members that an input assigns a chore to.
enum Assignees {
  static let maximumCount = 100
  static let setAssignees = SQL<(family: GlobalID, chore: GlobalID, assignees: KeyList, now: Timestamp)>(
    """
    UPDATE chore SET assignees = \(\.assignees), updated_at = \(\.now) \
    WHERE family_id = \(\.family) AND id = \(\.chore)
    """
  )
  private static let notFoundMessage: UserError.Message = "No member of the family has this id."

  /// The members that `assigneeIds` names, without duplicates, in the order given.
  static func read(_ form: inout InputForm, in context: RequestContext) async throws -> [GlobalID] {
    guard let family = context.family else { return [] }
    guard let given = form["assigneeIds"]?.list, !given.isEmpty else { return [] }
    guard given.count <= maximumCount else {
      form.reject(
        "assigneeIds",
        code: .tooLong,
        message: "A chore can have \(maximum: maximumCount) assignees at most."
      )
      return []
    }
    let members = given.map { context.cipher.person(of: $0) }
    let exist = try await context.read { reader in
      try members.map { member in try member.map { try FamilyMember.exists($0, of: family, from: reader) } ?? false }
    }
    var assignees: [GlobalID] = []
    for (index, member) in members.enumerated() {
      guard let member, exist[index] else {
        form.reject("assigneeIds", String(index), code: .notFound, message: notFoundMessage)
        continue
      }
      if !assignees.contains(member) { assignees.append(member) }
    }
    return assignees
  }

  /// Unassigns a member from at most `limit` chores. Returns their number: less than `limit` when none is left.
  static func unassign(_ member: GlobalID, atMost limit: Int64, in write: FamilyWrite) throws -> Int64 {
    let chores = try Assignment.unassign(member, atMost: limit, in: write)
    for chore in chores {
      try assigneesDidChange(of: chore, in: write)
    }
    return Int64(chores.count)
  }

  private static func assigneesDidChange(of chore: GlobalID, in write: FamilyWrite) throws {
    let members = try Assignment.members(assignedTo: chore, of: write.family, from: write.reader)
    try write.transaction.run(
      setAssignees,
      (family: write.family, chore: chore, assignees: KeyList(members), now: write.now)
    )
    write.record(.choreChanged, subject: chore)
  }

  /// Assigns a chore to members to whom it is not assigned yet. Copies the status, priority and due time of its row.
  static func assign(_ members: [GlobalID], to chore: GlobalID, in write: FamilyWrite) throws {
    let present = members.count > 1 ? try FamilyMember.keys(of: write.family, from: write.reader) : nil
    for (index, member) in members.enumerated() {
      // The member can have left the family since the form was read.
      guard try present?.contains(member) ?? FamilyMember.exists(member, of: write.family, from: write.reader) else {
        throw RejectedInput(["input", "assigneeIds", String(index)], code: .notFound, message: notFoundMessage)
      }
      try Assignment.insert(member, of: chore, in: write)
    }
  }
}
