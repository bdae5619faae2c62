import Foundation
import TestSupport
import Testing

@testable import Hearth
@testable import Storage

/// What SQLite makes of every statement is written down in `Snapshots/statements.txt`, so that a change of a statement
/// or of an index shows what it costs. To rewrite it, after review:
///
///     HEARTH_UPDATE_SNAPSHOTS=1 swift test --filter StatementTests
@Suite("Every statement finds its rows by an index")
struct StatementTests {
  private static let snapshot = Checkout.root.appendingPathComponent("Tests/HearthTests/Snapshots/statements.txt")

  /// Statements that may scan an entire table, and why.
  static let scans = [
    "Demonstration.isEmpty": "It stops at the first row.",
    "Demonstration.setAvatar": "There is nothing but the demo data yet.",
    "Demonstration.setAvatarOfChild": "There is nothing but the demo data yet.",
    "Demonstration.setPhoto": "There is nothing but the demo data yet.",
    "Demonstration.setImage": "There is nothing but the demo data yet.",
    "Membership.sweep": "The table of ended groups has those of the last hour.",
    "Membership.sweepGroups": "The same.",
    "GroupJoinRequest.sweep": "The same.",
    "GroupExclusion.sweepEnded": "The same.",
    "PictureUses.pictures": "It is for the check of all data.",
    "PictureUses.uses": "It is for the check of all data.",
    "PointLedgerCheck.wrongChildren": "It is for the check of all data.",
    "PointLedgerCheck.wrongAdults": "It is for the check of all data.",
    "PointLedgerCheck.wrongContracts": "It is for the check of all data.",
    "KeySequence.next": "The table has one row.",
    "KeySequence.advance": "The table has one row.",
    "LostNumbers.skipKeys": "The table has one row.",
    "LostNumbers.skipPositions": "It is for all families. It runs at the start on restored data.",
    "LostNumbers.skipAccountPositions": "The same for accounts.",
    "DataCounts.allFamilies": "Operators see the number. It is counted off the event loops.",
    "DataCounts.allAccounts": "The same.",
    "DataCounts.allPictures": "The same.",
    "Erasure.erasedPeople": "The index has only people who were erased. It runs at the start.",
    "Erasure.erasedChildren": "The same for children.",
    "Erasure.children": "It runs at a start on data that is older than a recorded erasure of a child.",
    "ExportOfPerson.rejectedRequests": "Rejections of a month. Exports are limited.",
    "ExportOfPerson.familyInvitations": "Open invitations, which expire after a week. Exports are limited.",
    "ExportOfPerson.parentRemovals": "Removals that wait for a few days. Exports are limited.",
    "ExportOfPerson.formerFamilies": "The table of former parents is small. Exports are limited.",
    "ExportOfPerson.mails": "Mails of a month. Exports are limited.",
    "ErasedPerson.deleteRejections": "Rejections of a month. Erasures are rare.",
    "ErasedPerson.deleteExclusions": "The table of exclusions is small. Erasures are rare.",
    "ErasedPerson.invitations": "Open invitations, which expire after a week. Erasures are rare.",
    "ErasedPerson.deleteRemovals": "Removals that wait for a few days. Erasures are rare.",
    "ErasedPerson.deleteEndedRemovals": "Removals of a month. Erasures are rare.",
    "ErasedPerson.formerFamilies": "The table of former parents is small. Erasures are rare.",
    "ErasedPerson.deleteTokens": "Tokens of a month. Erasures are rare.",
    "ErasedPerson.deleteMail": "Mails of a month. Erasures are rare.",
    "ErasedPerson.addressedMails": "Mails of a month. Erasures are rare.",
    "ErasedChild.deleteMail": "Mails of a month. Erasures are rare.",
  ]

  /// What SQLite calls a scan and is none: an array of keys or of JSON, a constant, a property of the file, what
  /// matches in the index of the search.
  private static let searches = [
    "SCAN k VIRTUAL TABLE", "SCAN json_each VIRTUAL TABLE", "SCAN CONSTANT ROW",
    "SCAN pragma_page_count VIRTUAL TABLE", "SCAN pragma_page_size VIRTUAL TABLE",
    "SCAN search_index VIRTUAL TABLE INDEX 0:M",
    "SCAN search_index VIRTUAL TABLE INDEX 64:M", "SCAN search_index VIRTUAL TABLE INDEX 192:M",
  ]

  private func plans() throws -> [(name: String, text: String, plan: [String])] {
    let directory = try TemporaryDirectory()
    let path = DataDirectory.databasePath(in: directory.path)
    let database = try Database(path: path, migrations: Migration.all)
    let reader = try database.makeReader()
    return try Statements.all.map { ($0.name, $0.sql.statement.text, try reader.queryPlan(of: $0.sql.statement)) }
  }

  @Test func `none reads a whole table, and none sorts`() throws {
    for (name, text, plan) in try plans() where Self.scans[name] == nil {
      for step in plan {
        #expect(
          !step.hasPrefix("SCAN ") || Self.searches.contains { step.hasPrefix($0) },
          "\(name): \(step)\n\(text)"
        )
        #expect(!step.contains("TEMP B-TREE") && !step.contains("AUTOMATIC"), "\(name): \(step)\n\(text)")
      }
    }
  }

  @Test func `all query plans match the snapshot`() throws {
    let shown = try plans().map { name, text, plan in
      "\(name)\n  \(text)\n" + plan.map { "  · \($0)\n" }.joined()
    }.joined(separator: "\n")
    if TestOptions.updatesSnapshots {
      try Data(shown.utf8).write(to: Self.snapshot)
    }
    let known = try String(contentsOf: Self.snapshot, encoding: .utf8)
    let before = Set(known.components(separatedBy: "\n\n"))
    for entry in shown.components(separatedBy: "\n\n") where !before.contains(entry) {
      Issue.record("This is new, or has changed:\n\(entry)")
    }
    #expect(shown == known)
  }

  @Test func `the list has every statement that is written anywhere`() throws {
    var written: Set<String> = []
    var outsideOfLists: [String] = []
    let type = /^(?:package |final |private )*(?:enum|struct|class|extension|actor) (\w+)/
    let made = /^ *static let (\w+)(?:: [^=]*)? = (?:SQL<|SQL\(|Table<|\w+\.table\.|Loader\.\w+\(|KeysetList<)/
    let madeOfCases = /^ *static let (\w+): \[SQL<\w+>\] = \w+\.allCases\./
    let madeForExport = /^ *static let (\w+) = ExportSection\(/
    for file in try Checkout.swiftFiles(in: "Sources/Hearth") {
      var current = ""
      for line in file.lines {
        if let found = line.firstMatch(of: type) { current = String(found.1) }
        let found = line.firstMatch(of: made) ?? line.firstMatch(of: madeOfCases) ?? line.firstMatch(of: madeForExport)
        if let found {
          written.insert("\(current).\(found.1)")
        } else if line.contains("SQL("), line.contains(/\bSQL\(/),
          !["Loader.swift", "KeysetList.swift", "ExportSection.swift"].contains(file.name)
        {
          outsideOfLists.append("\(file.path): \(line)")
        }
      }
    }
    // A list that is read page by page is several statements.
    let listed = Set(Statements.all.map { $0.name.split(separator: ".").prefix(2).joined(separator: ".") })
    #expect(written.subtracting(listed) == [], "Add them to Statements.swift.")
    #expect(listed.subtracting(written) == [], "They are written nowhere any more.")
    #expect(outsideOfLists == [], "A statement is a `static let`, made once.")
  }
}
