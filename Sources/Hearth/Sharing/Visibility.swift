import Storage

/// Who may see what of a person: conditions for the statements that load it, each stated here and nowhere else.
enum Visibility {
  /// The viewer can see the person `p`: all of the family, deactivated accounts among them; for adults, all active
  /// people; and former parents of the family, whom its history names.
  static let ofPerson: SQLFragment<LoaderParameters> = """
    (p.family_id = \(\.family) OR (p.deactivated_at IS NULL AND \(Kind.person.isKind(of: "\(\.viewer)"))) \
    OR EXISTS (SELECT 1 FROM former_parent AS x WHERE x.family_id = \(\.family) AND x.person_id = p.id))
    """

  /// `person` is a member of `group`. A person who is only invited is not.
  static func isMember<Parameters>(
    _ person: SQLFragment<Parameters>,
    of group: SQLFragment<Parameters>
  ) -> SQLFragment<Parameters> {
    hasRole("< \(GroupRole.invited)", person, in: group)
  }

  /// `person` is an admin of `group`.
  static func isAdmin<Parameters>(
    _ person: SQLFragment<Parameters>,
    of group: SQLFragment<Parameters>
  ) -> SQLFragment<Parameters> {
    hasRole("= \(GroupRole.admin)", person, in: group)
  }

  private static func hasRole<Parameters>(
    _ role: SQLFragment<Parameters>,
    _ person: SQLFragment<Parameters>,
    in group: SQLFragment<Parameters>
  ) -> SQLFragment<Parameters> {
    """
    EXISTS (SELECT 1 FROM group_member AS v \
    WHERE v.group_id = \(group) AND v.person_id = \(person) AND v.role \(role))
    """
  }

  /// That the viewer and `person` are members of a group whose members share `scope` with one another, which `person`
  /// has agreed to: what the group came to share since they joined is not theirs yet.
  private static func isSharedByGroup(
    _ scope: SQLFragment<LoaderParameters>,
    of person: SQLFragment<LoaderParameters>
  ) -> SQLFragment<LoaderParameters> {
    """
    EXISTS (SELECT 1 FROM group_member AS mine \(index: "group_member_by_person") \
    \(join: .asWritten) person_group AS g ON g.id = mine.group_id \
    WHERE mine.person_id = \(\.viewer) AND mine.role < \(GroupRole.invited) AND g.sharing >> \(scope) & 1 \
    AND EXISTS (SELECT 1 FROM group_member AS v \
    WHERE v.group_id = g.id AND v.person_id = \(person) AND v.role < \(GroupRole.invited) \
    AND v.sharing >> \(scope) & 1))
    """
  }

  /// That the viewer is shown what `person` has in `scope` (its place in `Scope`): a person sees all of their own, and
  /// of another what that one shares with them, be it as a contact or as a fellow member of a group.
  static func isShared(
    _ scope: SQLFragment<LoaderParameters>,
    of person: SQLFragment<LoaderParameters>
  ) -> SQLFragment<LoaderParameters> {
    """
    (\(person) = \(\.viewer) OR EXISTS (SELECT 1 FROM contact AS s \(index: "contact_by_person") \
    WHERE s.owner_id = \(person) AND s.person_id = \(\.viewer) AND s.sharing >> \(scope) & 1) \
    OR \(isSharedByGroup(scope, of: person)))
    """
  }

  /// That the viewer is shown what is personal of `p` without being in any list of theirs: the birthday, the gender.
  static let ofBirthday: SQLFragment<LoaderParameters> =
    "(p.family_id = \(\.family) OR \(isShared("\(Scope.personal)", of: "p.id")))"
}
