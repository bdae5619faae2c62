import Storage

/// Who may see what of a person. Each rule is an SQL condition that is defined only here.
enum Visibility {
  /// Whether the viewer can find the person `p` by their id: everybody whose profile they can see, and those whom the
  /// history of the family names, which are its former parents and its deactivated accounts.
  static let ofPerson: SQLFragment<LoaderParameters> = """
    (\(isInFamily) OR \(isSeenByAdults) \
    OR EXISTS (SELECT 1 FROM former_parent AS x WHERE x.family_id = \(\.family) AND x.person_id = p.id))
    """

  /// Whether the viewer can see the person `p` to whom an object refers that they can see. Of an erased person only the
  /// neutral name and the time of registration are left. Only the history of families still refers to them, and earlier
  /// versions deleted their row of `former_parent`. By their id they are found only like others, so that it does not
  /// show to other families that a person is erased.
  static let ofReference: SQLFragment<LoaderParameters> = "(\(ofPerson) OR p.erased_at IS NOT NULL)"

  /// Whether the viewer can see the profile of the person `p`: everybody in the family, and for adults, all people. A
  /// deactivated account shows no profile, also not to its family, which sees no more of it than of a parent who left.
  ///
  /// For members of the family these are two comparisons: it is evaluated for each column of the profile.
  static let ofProfile: SQLFragment<LoaderParameters> = "(\(isActiveInFamily) OR \(isSeenByAdults))"

  /// Whether messages to a member of `family` contain the name of the person `p`: those of active people, and of others
  /// whom the history of the family names.
  static func ofName<Parameters>(in family: KeyPath<Parameters, GlobalID>) -> SQLFragment<Parameters> {
    """
    (p.deactivated_at IS NULL OR p.family_id = \(family) \
    OR EXISTS (SELECT 1 FROM former_parent AS x WHERE x.family_id = \(family) AND x.person_id = p.id))
    """
  }

  private static let isInFamily: SQLFragment<LoaderParameters> = "p.family_id = \(\.family)"
  private static let isActiveInFamily: SQLFragment<LoaderParameters> = "(\(isInFamily) AND p.deactivated_at IS NULL)"
  private static let isSeenByAdults: SQLFragment<LoaderParameters> =
    "(p.deactivated_at IS NULL AND \(Kind.person.isKind(of: "\(\.viewer)")))"

  /// Whether `person` is a member of `group`. A person who is only invited is not.
  static func isMember<Parameters>(
    _ person: SQLFragment<Parameters>,
    of group: SQLFragment<Parameters>
  ) -> SQLFragment<Parameters> {
    hasRole("< \(GroupRole.invited)", of: person, in: group)
  }

  /// Whether `person` is an admin of `group`.
  static func isAdmin<Parameters>(
    _ person: SQLFragment<Parameters>,
    of group: SQLFragment<Parameters>
  ) -> SQLFragment<Parameters> {
    hasRole("= \(GroupRole.admin)", of: person, in: group)
  }

  /// The limit changes nothing but SQLite's plan: without it, SQLite reads the role as the outer loop of a join, and
  /// then sorts the rows of the group, which it could read in order.
  private static func hasRole<Parameters>(
    _ role: SQLFragment<Parameters>,
    of person: SQLFragment<Parameters>,
    in group: SQLFragment<Parameters>
  ) -> SQLFragment<Parameters> {
    """
    EXISTS (SELECT 1 FROM group_member AS v \
    WHERE v.group_id = \(group) AND v.person_id = \(person) AND v.role \(role) LIMIT 1)
    """
  }

  /// Whether the viewer and `person` are members of a group that shares `scope` among its members, and `person` has
  /// agreed to share it. A scope that the group added after they joined requires their agreement.
  private static func isSharedByGroup(
    _ scope: SQLFragment<LoaderParameters>,
    of person: SQLFragment<LoaderParameters>
  ) -> SQLFragment<LoaderParameters> {
    """
    EXISTS (SELECT 1 FROM group_member AS mine \(index: "group_member_by_person") \
    \(join: .asWritten) person_group AS g ON g.id = mine.group_id \
    WHERE mine.person_id = \(\.viewer) AND mine.role < \(GroupRole.invited) AND g.sharing >> \(scope) & 1 = 1 \
    AND EXISTS (SELECT 1 FROM group_member AS v \
    WHERE v.group_id = g.id AND v.person_id = \(person) AND v.role < \(GroupRole.invited) \
    AND v.sharing >> \(scope) & 1 = 1))
    """
  }

  /// Whether the viewer can see the contact details of `person` in `scope`. People see all of their own, and what
  /// others share with them as a contact or as a member of the same group.
  ///
  /// - Parameter scope: the bit index of the scope.
  static func isShared(
    _ scope: SQLFragment<LoaderParameters>,
    of person: SQLFragment<LoaderParameters>
  ) -> SQLFragment<LoaderParameters> {
    """
    (\(person) = \(\.viewer) OR EXISTS (SELECT 1 FROM contact AS s \(index: "contact_by_person") \
    WHERE s.owner_id = \(person) AND s.person_id = \(\.viewer) AND s.sharing >> \(scope) & 1 = 1) \
    OR \(isSharedByGroup(scope, of: person)))
    """
  }

  /// Whether the viewer can see the birthday and gender of `p`.
  static let ofBirthday: SQLFragment<LoaderParameters> =
    "(\(isActiveInFamily) OR \(isShared("\(Scope.personal)", of: "p.id")))"
}
