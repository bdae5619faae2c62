import Foundation
import Testing

@testable import Hearth
@testable import Storage

/// Statements name their parameters and their constants, and what only SQLite understands is written by
/// `Storage/Statements/Dialect.swift`. Migrations are the schema of SQLite.
@Suite("Statements outside Storage")
struct DialectTests {
  /// Constructs of SQLite that statements still contain, as "file: construct". Remove an entry when it is gone.
  private static let remaining: Set<String> = [
    // PostgreSQL has this operator too.
    "AddressBookLookup.swift: ->>", "Seeder+Search.swift: ->>",
  ]

  private static let constructs = [
    "CROSS JOIN", "GLOB ", "IS NOT \\(", "IS \\(", "INDEXED BY", "MATCH ", "OR IGNORE", "OR REPLACE", "PRAGMA", "->>",
    "WITHOUT ROWID", "group_concat(", "ifnull(", "iif(", "instr(", "json_", "keys(?", "printf(", "randomblob(", "rowid",
    "strftime(", "unixepoch(", "x''", "zeroblob(",
  ]

  /// The lines of the sources outside of Storage that are neither comments nor migrations.
  private static func lines() throws -> [(file: Checkout.File, number: Int, text: Substring)] {
    try Checkout.swiftFiles(in: "Sources")
      .filter { $0.target != "Storage" && !$0.path.contains("/Migrations/") }
      .flatMap { file in file.lines.enumerated().map { (file: file, number: $0.offset + 1, text: $0.element) } }
      .filter { line in !line.text.drop { $0 == " " }.hasPrefix("//") }
  }

  @Test func `no parameter has a number`() throws {
    for (file, number, text) in try Self.lines() where text.contains("bind(") || text.contains("?") {
      #expect(text.firstMatch(of: /bind\([0-9]|\?[0-9]/) == nil, "\(file.path):\(number): \(text)")
    }
  }

  @Test func `a case of an enumeration is written by its name`() throws {
    let columns = TableTests.enumerations
    try #require(columns.isSuperset(of: ["status", "role", "kind", "purpose", "access", "frequency"]), "\(columns)")
    let comparison = /(\w+) *(?:=|<>|<=|>=|<|>|IN \() *[0-9]/
    for (file, number, text) in try Self.lines() where file.target == "Hearth" && text.contains(comparison) {
      for found in text.matches(of: comparison) {
        #expect(!columns.contains(String(found.1)), "\(file.path):\(number): \(text)")
      }
    }
  }

  @Test func `what only SQLite understands is written by its dialect`() throws {
    var found: Set<String> = []
    for (file, number, text) in try Self.lines() where file.target == "Hearth" {
      for construct in Self.constructs where text.contains(construct) {
        found.insert("\(file.name): \(construct)")
        #expect(
          Self.remaining.contains("\(file.name): \(construct)"),
          "\(file.path):\(number): \(text)"
        )
      }
    }
    #expect(Self.remaining.subtracting(found) == [], "They are gone: take them out of the list.")
  }

  /// With one argument, `min` and `max` are aggregates of standard SQL; with more, functions of SQLite.
  @Test func `the lesser and the greater of two values are written by the dialect`() throws {
    for (file, number, text) in try Self.lines() where file.target == "Hearth" {
      guard text.contains(/\b(?:min|max)\(/), text.contains(/\b(?:SELECT|SET|WHERE|AND|CASE)\b/) else { continue }
      #expect(text.firstMatch(of: /\b(?:min|max)\([^()]*,/) == nil, "\(file.path):\(number): \(text)")
    }
  }
}
