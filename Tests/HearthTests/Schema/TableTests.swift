import Foundation
import TestSupport
import Testing

@testable import Hearth
@testable import Storage

/// Each table is declared once; the database that the migrations make must agree with the declaration.
@Suite("Declared tables")
struct TableTests {
  /// Every declaration of the product. One that is missing here fails `every declaration is compared`.
  private static let declared: [String: [DeclaredColumn]] = [
    "Account": columns(of: Account.table),
    "Assignment": columns(of: Assignment.table),
    "Child": columns(of: Child.table),
    "Chore": columns(of: Chore.table),
    "Contact": columns(of: Contact.table),
    "ContactInfo": columns(of: ContactInfo.table),
    "ContactRejection": columns(of: ContactRejection.table),
    "ContactRequest": columns(of: ContactRequest.table),
    "Contract": columns(of: Contract.table),
    "Device": columns(of: Device.table),
    "DueWork": columns(of: DueWork.table),
    "EmailChange": columns(of: EmailChange.table),
    "EndedGroup": columns(of: EndedGroup.table),
    "EndedParentRemoval": columns(of: EndedParentRemoval.table),
    "Family": columns(of: Family.table),
    "FeedEventRow": columns(of: FeedEventRow.table),
    "FamilyInvitationRow": columns(of: FamilyInvitationRow.table),
    "FinishedChore": columns(of: FinishedChore.table),
    "FormerParent": columns(of: FormerParent.table),
    "GroupExclusion": columns(of: GroupExclusion.table),
    "GroupJoinRequest": columns(of: GroupJoinRequest.table),
    "GroupMember": columns(of: GroupMember.table),
    "IdempotentWrite": columns(of: IdempotentWrite.table),
    "Identity": columns(of: Identity.table),
    "Item": columns(of: Item.table),
    "Mail": columns(of: Mail.table),
    "NotificationRow": columns(of: NotificationRow.table),
    "NotificationSettings": columns(of: NotificationSettings.table),
    "OneTimeToken": columns(of: OneTimeToken.table),
    "ParentRemovalRow": columns(of: ParentRemovalRow.table),
    "Person": columns(of: Person.table),
    "PersonGroup": columns(of: PersonGroup.table),
    "PictureContent": columns(of: PictureContent.table),
    "PointBalance": columns(of: PointBalance.table),
    "PointEntry": columns(of: PointEntry.table),
    "Push": columns(of: Push.table),
    "PictureFile": columns(of: PictureFile.table),
    "Reminder": columns(of: Reminder.table),
    "RewardLevel": columns(of: RewardLevel.table),
    "SearchEntry": columns(of: SearchEntry.table),
    "Session": columns(of: Session.table),
    "Setting": columns(of: Setting.table),
    "StoppedAddress": columns(of: StoppedAddress.table),
  ]

  private struct DeclaredColumn: Equatable, CustomStringConvertible {
    let table: String
    let name: String
    let type: String
    let isNullable: Bool
    /// The database does not know.
    var isEnumeration = false

    var description: String { "\(table).\(name) \(type)\(isNullable ? "" : " NOT NULL")" }

    static func == (one: DeclaredColumn, other: DeclaredColumn) -> Bool { one.description == other.description }
  }

  private static func columns<Row>(of table: Table<Row>) -> [DeclaredColumn] {
    table.columns.map { column in
      DeclaredColumn(
        table: table.name,
        name: column.name,
        type: column.valueType.sqlType.storage.rawValue,
        isNullable: column.valueType.sqlType.isNullable,
        isEnumeration: unwrapped(column.valueType) is any SQLConstant.Type
      )
    }
  }

  private static func unwrapped(_ type: Any.Type) -> Any.Type { (type as? any OptionalValue.Type)?.wrapped ?? type }

  /// The names of the columns that hold a case of an enumeration.
  static var enumerations: Set<String> {
    Set(declared.values.joined().filter(\.isEnumeration).map(\.name))
  }

  @Test(arguments: declared.keys.sorted())
  func `a declaration has the columns, types and nullability of its table`(declaration: String) throws {
    let columns = try #require(Self.declared[declaration])
    let directory = try TemporaryDirectory()
    let database = try Database(path: DataDirectory.databasePath(in: directory.path), migrations: Migration.all)
    let reader = try database.makeReader()
    var stored: [DeclaredColumn] = []
    // Generated columns are not in this pragma: they are never written.
    let catalogue = StatementText("SELECT name, type, \"notnull\", pk FROM pragma_table_info('\(columns[0].table)')")
    try reader.statement(catalogue).forEachRow { row in
      stored.append(
        DeclaredColumn(
          table: columns[0].table,
          name: row.string(0),
          type: row.string(1),
          isNullable: !row.bool(2) && !row.bool(3)
        )
      )
    }
    #expect(columns.sorted { $0.name < $1.name } == stored.sorted { $0.name < $1.name })
  }

  @Test func `every declaration is compared`() throws {
    var written: Set<String> = []
    let declaration = /static let table = Table<(\w+)>/
    for file in try Checkout.swiftFiles(in: "Sources/Hearth") {
      for line in file.lines {
        if let found = line.firstMatch(of: declaration) { written.insert(String(found.1)) }
      }
    }
    #expect(written == Set(Self.declared.keys))
  }
}

private protocol OptionalValue {
  static var wrapped: Any.Type { get }
}

extension Optional: OptionalValue {
  static var wrapped: Any.Type { Wrapped.self }
}
