/// Who may see what of a person: conditions for the statements that load it, each said here and nowhere else. In all of
/// them parameter 2 is the viewer's family and 3 the viewer.
enum Visibility {
  /// The viewer can see the person `p`: all of the family, deactivated accounts among them; for adults, all active
  /// people; and former parents of the family, whom its history names.
  static let ofPerson = """
    (p.family_id = ?2 OR (p.deactivated_at IS NULL AND ?3 & 63 = \(Kind.person.rawValue)) \
    OR EXISTS (SELECT 1 FROM former_parent AS x WHERE x.family_id = ?2 AND x.person_id = p.id))
    """

  /// That `person` is a member of `group`: who is only invited is not.
  static func isMember(_ person: String, of group: String) -> String {
    "EXISTS (SELECT 1 FROM group_member AS v WHERE v.group_id = \(group) AND v.person_id = \(person) AND v.role < 2)"
  }

  /// `person` is an admin of `group`.
  static func isAdmin(_ person: String, of group: String) -> String {
    "EXISTS (SELECT 1 FROM group_member AS v WHERE v.group_id = \(group) AND v.person_id = \(person) AND v.role = 0)"
  }

  /// That the viewer and `person` are members of a group whose members share `scope` with one another, which `person`
  /// has agreed to: what the group came to share since they joined is not theirs yet.
  private static func isSharedByGroup(_ scope: String, of person: String) -> String {
    """
    EXISTS (SELECT 1 FROM group_member AS mine INDEXED BY group_member_by_person \
    CROSS JOIN person_group AS g ON g.id = mine.group_id \
    WHERE mine.person_id = ?3 AND mine.role < 2 AND g.sharing >> \(scope) & 1 \
    AND EXISTS (SELECT 1 FROM group_member AS v \
    WHERE v.group_id = g.id AND v.person_id = \(person) AND v.role < 2 AND v.sharing >> \(scope) & 1))
    """
  }

  /// That the viewer is shown what `person` has in `scope` (its place in `Scope`): a person sees all of their own, and
  /// of another what that one shares with them, be it as a contact or as a fellow member of a group.
  static func isShared(_ scope: String, of person: String) -> String {
    """
    (\(person) = ?3 OR EXISTS (SELECT 1 FROM contact AS s INDEXED BY contact_by_person \
    WHERE s.owner_id = \(person) AND s.person_id = ?3 AND s.sharing >> \(scope) & 1) \
    OR \(isSharedByGroup(scope, of: person)))
    """
  }

  /// That the viewer is shown what is personal of `p` without being in any list of theirs: the birthday, the gender.
  static let ofBirthday = "(p.family_id = ?2 OR \(isShared("\(Scope.personal.stored)", of: "p.id")))"
}
