import GraphQL
import Storage

enum ContactInfoKind: String, StoredEnumeration {
  case email = "EMAIL", phone = "PHONE", address = "ADDRESS"
}

enum ContactInfoColumn: Int, StoredColumns {
  case id, scope, kind, label, primary, value, countryCode, extensionNumber, line2, city, region, postalCode, country,
    formatted

  var column: StoredType.Column {
    switch self {
    case .id: .identifier
    case .scope: .enumeration("i.scope", Scope.self)
    case .kind: .enumeration("i.kind", ContactInfoKind.self)
    case .label: .text("i.label")
    case .primary: .boolean("i.is_primary")
    case .value: .text("i.value")
    case .countryCode: .text("i.country_code")
    case .extensionNumber: .text("i.extension")
    case .line2: .text("i.line2")
    case .city: .text("i.city")
    case .region: .text("i.region")
    case .postalCode: .text("i.postal_code")
    case .country: .text("i.country")
    case .formatted: .text("i.formatted")
    }
  }
}

/// A contact detail: an e-mail address, a phone number or a postal address. The fields of the other kinds are null.
enum ContactInfoType {
  static let stored = StoredType(key: "i.id", ContactInfoColumn.self)

  private static let isVisible: SQLFragment<LoaderParameters> = """
    EXISTS (SELECT 1 FROM person AS p WHERE p.id = i.person_id AND p.deactivated_at IS NULL) \
    AND \(Visibility.isShared("CAST(i.scope AS INTEGER)", of: "i.person_id"))
    """
  static let byKey = Loader.byKey(stored, from: "contact_info AS i ON i.id = k.value WHERE \(isVisible)")
  /// Sorted by scope, kind and age. The filter is the selected scope, or NULL.
  static let byPerson = Loader.byParent(
    stored,
    from: "contact_info AS i ON i.person_id = k.value WHERE i.scope = coalesce(\(\.filter), i.scope) AND \(isVisible)",
    order: "i.scope, i.kind, i.id"
  )

  private typealias Column = ContactInfoColumn

  static let binding = ObjectBinding(
    byKey,
    fields: [
      "id": .stored(Column.id),
      "scope": .stored(Column.scope),
      "kind": .stored(Column.kind),
      "label": .stored(Column.label),
      "primary": .stored(Column.primary),
      "email": .computed(needs: [Column.kind, .value]) { info, _ in
        kind(of: info) == .email ? LeafValue(info.string(Column.value.rawValue)) : .null
      },
      "phone": part(of: .phone, [.value, .countryCode, .extensionNumber, .formatted]) { info in
        let number = text(info, column: .value)
        let code = text(info, column: .countryCode)
        return PhoneNumber(
          number: String(number.dropFirst(1 + code.count)),
          countryCode: code,
          extension: info.string(Column.extensionNumber.rawValue),
          e164: number,
          formatted: text(info, column: .formatted),
          region: ""
        )
      },
      "address": part(
        of: .address,
        [.value, .line2, .city, .region, .postalCode, .country]
      ) { info in
        PostalAddress(
          line1: text(info, column: .value),
          line2: info.string(Column.line2.rawValue),
          city: text(info, column: .city),
          region: info.string(Column.region.rawValue),
          postalCode: info.string(Column.postalCode.rawValue),
          country: info.string(Column.country.rawValue)
        )
      },
    ]
  )

  private static func kind(of info: ObjectView) -> ContactInfoKind? {
    info.int(Column.kind.rawValue).flatMap(ContactInfoKind.init(stored:))
  }

  private static func text(_ info: ObjectView, column: Column) -> String { info.string(column.rawValue) ?? "" }

  private static func part(
    of kind: ContactInfoKind,
    _ columns: [Column],
    _ make: @escaping @Sendable (ObjectView) -> any Sendable
  ) -> FieldBinding {
    .objects(needs: [.kind] + columns) { batch, context in
      for parent in 0..<batch.count {
        let info = batch.view(parent, in: context)
        if Self.kind(of: info) == kind { batch.add(parent, value: make(info), of: batch.resultType) }
      }
    }
  }
}
