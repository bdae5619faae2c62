import GraphQL
import Storage

/// The columns of an adult. Each column defines what others see of it. Contact details are separate objects.
enum PersonColumn: Int, StoredColumns {
  case id, name, firstName, middleName, lastName, dateOfBirth, gender, theme, avatar, memberSince, currentCity,
    hometown, company, highSchools, colleges, socialMedia, relation, contact, contactRequest, points,
    achievementPoints

  var column: StoredType.Column {
    switch self {
    case .id: .identifier
    case .name: .stored(\Person.name, of: "p")
    case .firstName: .stored(\Person.firstName, of: "p")
    case .middleName: .stored(\Person.middleName, of: "p")
    case .lastName: .stored(\Person.lastName, of: "p")
    case .dateOfBirth: .text("CASE WHEN \(Visibility.ofBirthday) THEN p.date_of_birth END")
    case .gender:
      .enumeration(
        "CASE WHEN \(Visibility.ofBirthday) THEN p.gender ELSE \(Gender.unspecified) END",
        Gender.self
      )
    case .theme: .stored(\Person.theme, of: "p")
    case .avatar: .integer(Self.ofProfile(\.avatar))
    case .memberSince: .stored(\Person.createdAt, of: "p")
    case .currentCity: .text(Self.ofProfile(\.currentCity))
    case .hometown: .text(Self.ofProfile(\.hometown))
    case .company: .text(Self.ofProfile(\.company))
    case .highSchools: .text(Self.ofProfile(\.highSchools))
    case .colleges: .text(Self.ofProfile(\.colleges))
    case .socialMedia: .text(Self.ofProfile(\.socialMedia))
    case .relation: .enumeration(Relation.ofPerson(to: "\(\.viewer)"), Relation.self)
    case .contact:
      .key(
        """
        (SELECT c.id FROM contact AS c \(index: "contact_by_person") \
        WHERE c.owner_id = \(\.viewer) AND c.person_id = p.id)
        """
      )
    case .contactRequest:
      .key("(SELECT r.id FROM contact_request AS r WHERE \(ContactRequest.isBetween("p.id", and: "\(\.viewer)")))")
    case .points: .integer(Self.ofBalance(\.points))
    case .achievementPoints: .integer(Self.ofBalance(\.achievementPoints))
    }
  }

  /// A column of the profile. NULL for a former parent or a deactivated account, which the viewer sees only by name.
  private static func ofProfile(_ property: PartialKeyPath<Person>) -> SQLFragment<LoaderParameters> {
    "CASE WHEN \(Visibility.ofProfile) THEN p.\(sql: Person.table.column(property).name) END"
  }

  /// A column of the balance in the viewer's family. NULL for people of other families.
  private static func ofBalance(_ property: PartialKeyPath<PointBalance>) -> SQLFragment<LoaderParameters> {
    """
    CASE WHEN p.family_id = \(\.family) AND p.deactivated_at IS NULL THEN \
    coalesce((SELECT b.\(sql: PointBalance.table.column(property).name) FROM \(rows: .pointBalance, of: \.family) AS b \
    WHERE b.member_id = p.id), 0) END
    """
  }
}

/// The columns of a parent of the viewer's family, whose profile all its members see. Those of the profile do not
/// depend on the viewer, so that the family shares the responses that are kept (`ResponseAudience`).
struct ParentColumn: StoredColumns {
  static let allCases = PersonColumn.allCases.map { ParentColumn($0) }

  private let ofPerson: PersonColumn

  private init(_ ofPerson: PersonColumn) { self.ofPerson = ofPerson }

  init?(rawValue: Int) {
    guard let column = PersonColumn(rawValue: rawValue) else { return nil }
    self.init(column)
  }

  var rawValue: Int { ofPerson.rawValue }

  var column: StoredType.Column {
    switch ofPerson {
    case .avatar: .stored(\Person.avatar, of: "p")
    case .currentCity: .stored(\Person.currentCity, of: "p")
    case .hometown: .stored(\Person.hometown, of: "p")
    case .company: .stored(\Person.company, of: "p")
    case .highSchools: .stored(\Person.highSchools, of: "p")
    case .colleges: .stored(\Person.colleges, of: "p")
    case .socialMedia: .stored(\Person.socialMedia, of: "p")
    default: ofPerson.column
    }
  }
}

enum PersonType {
  static let stored = StoredType(key: "p.id", PersonColumn.self)
  static let byKey = Loader.byKey(stored, from: "person AS p ON p.id = k.value WHERE \(Visibility.ofReference)")
  static let found = Loader.single(stored, from: "person AS p WHERE p.id = \(\.key) AND \(Visibility.ofPerson)")
  /// Active parents only. A deactivated one is still found by key, for example as the creator of a chore.
  static let byFamily = Loader.byParent(
    StoredType(key: "p.id", ParentColumn.self),
    from: "\(rows: .person, of: \.family) AS p ON k.value = \(\.family) WHERE p.deactivated_at IS NULL",
    order: "p.id"
  )

  static let binding = ObjectBinding(
    byKey,
    fields: fields { $0 }.merging([
      "memberSince": .stored(PersonColumn.memberSince),
      "currentCity": .stored(PersonColumn.currentCity),
      "hometown": .stored(PersonColumn.hometown),
      "company": .stored(PersonColumn.company),
      "highSchools": .lines(PersonColumn.highSchools),
      "colleges": .lines(PersonColumn.colleges),
      "socialMedia": .lines(PersonColumn.socialMedia),
      "relation": .stored(PersonColumn.relation),
      "contact": .reference(PersonColumn.contact),
      "contactRequest": .reference(PersonColumn.contactRequest),
      "points": .stored(PersonColumn.points),
      "achievementPoints": .stored(PersonColumn.achievementPoints),
      "pointEntries": .connection(PointEntryPages.order) { person, pageQuery, context in
        guard let family = context.family, try FamilyMember.exists(person, of: family, from: context.reader)
        else {
          return nil
        }
        return try PointEntryPages.ofMember(person, pageQuery: pageQuery, in: context)
      },
      "contactInfo": .objects { batch, context in
        let scope = batch.arguments["scope"]?.string.flatMap(Scope.init)
        try ContactInfoType.byPerson.load(&batch, in: context, filter: scope?.stored)
      },
    ]) { _, own in own }
  )

  /// Fields that both `Person` and `Account` have.
  ///
  /// - Parameter column: maps a column to that of the type.
  static func fields<Columns: StoredColumns>(_ column: (PersonColumn) -> Columns) -> [String: FieldBinding] {
    Member.fields(
      id: column(.id),
      name: column(.name),
      dateOfBirth: column(.dateOfBirth),
      gender: column(.gender),
      theme: column(.theme),
      avatar: column(.avatar)
    ).merging([
      "firstName": .stored(column(.firstName)),
      "middleName": .stored(column(.middleName)),
      "lastName": .stored(column(.lastName)),
    ]) { _, own in own }
  }
}

extension FieldBinding {
  /// A list of texts, stored as one text with an entry per line.
  static func lines<Columns: StoredColumns>(_ column: Columns) -> FieldBinding {
    .computed(needs: [column]) { view, _ in
      let text = view.string(column.rawValue) ?? ""
      return .list(text.split(separator: "\n").map { .string(String($0)) })
    }
  }
}
