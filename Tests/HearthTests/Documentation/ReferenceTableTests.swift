import Foundation
import GraphQL
import HTTP
import Testing

@testable import Hearth

/// Compares the documents' tables with the sources.
@Suite("The documents' tables")
struct ReferenceTableTests {
  /// All providers have the same settings: one is listed for all.
  private func general(_ name: String) -> String { name.replacing(/APPLE|GOOGLE|FACEBOOK|\\\(name\)/, with: "*") }

  @Test func `settings: each that the program reads, and no other`() async throws {
    let sources = try Checkout.swiftFiles(in: "Sources/HearthCommand").map { $0.lines.joined(separator: "\n") }.joined()
    let read = Set(sources.matches(of: /(?:text|number)\("(HEARTH_[A-Z_]+)"/).map { String($0.1) })
    #expect(read == ["HEARTH_HOST", "HEARTH_PORT", "HEARTH_DATA", "HEARTH_LOOPS", "HEARTH_LOG_LEVEL"])
    #expect(read.isSubset(of: ServerSetting.all.flatMap(\.variables)))
    #expect(ServerSetting.all.count > 40)
    let guide = try Document("Documentation/operating.md")
    if TestOptions.updatesSnapshots {
      try guide.replaceTable(under: "Settings", with: ServerSetting.all.map(\.documentation))
    }
    let rows = try Document("Documentation/operating.md").table(under: "Settings")
    #expect(rows == ServerSetting.all.map(\.documentation))

    let help = try await Program.run("serve", "--help").output.replacing(/\s+/, with: " ")
    var defaults: [String: String] = [:]
    for part in help.split(separator: "HEARTH_") {
      guard let match = part.firstMatch(of: /^([A-Z_]+) [^(]*\(([^()]*)\)/) else { continue }
      defaults["HEARTH_\(match.1)"] = String(match.2)
    }
    #expect(defaults.count > 10)
    // A reference to a section of the guide leads nowhere in a terminal.
    #expect(!help.contains(": see ") && !help.contains("; see "))
    for row in rows {
      guard let name = Document.code(in: row[0]).last, !general(name).contains("*") else { continue }
      #expect(help.contains(name))
      if let value = defaults[name] { #expect(row[1].filter { $0 != "`" } == value, "\(name)") }
    }
  }

  @Test func `codes: every code that a response can contain, and no other`() throws {
    let sources = try Checkout.swiftFiles(in: "Sources").map { $0.lines.joined(separator: "\n") }.joined()
    var sent = Set(sources.matches(of: /ErrorCode\(rawValue: "([A-Z_]+)"\)/).map { String($0.1) })
    // Errors of invalid schemas, reported at startup and never to a client.
    sent.remove("SCHEMA_INVALID")
    #expect(sent.count > 20)
    let rows = try Document("Documentation/front-end.md").table(under: "Codes of errors")
    #expect(rows.flatMap { Document.code(in: $0[0]) }.sorted() == sent.sorted())
  }

  @Test func `codes of user errors: those of the schema`() throws {
    let schema = try String(contentsOf: Checkout.root.appendingPathComponent("schema.graphql"), encoding: .utf8)
    let body = try #require(schema.firstMatch(of: /\nenum UserErrorCode \{([^}]*)\}/)).1
    let values = body.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { $0.wholeMatch(of: /[A-Z_]+/) != nil }
    let rows = try Document("Documentation/front-end.md").table(under: "Codes of user errors")
    #expect(Set(rows.flatMap { Document.code(in: $0[0]) }) == Set(values))
  }

  @Test func `reasons of user errors: those of the program, and of the schema`() throws {
    let rows = try Document("Documentation/front-end.md").table(under: "Reasons of user errors")
    #expect(rows.allSatisfy { Document.code(in: $0[0]).compactMap(UserError.Code.init).count == 1 })
    let program = UserError.Reason.allCases.map(\.rawValue).sorted()
    #expect(rows.flatMap { Document.code(in: $0[1]) }.sorted() == program)
    let type = try #require(SchemaCoordinates().schema.types.first { $0.name == "UserErrorReason" })
    #expect(type.enumValues.map(\.name).sorted() == program)
  }

  @Test func `close codes: those after which the clients do not connect again are documented`() throws {
    let lines = try Document("Documentation/front-end.md").lines
    let rows = lines.compactMap { $0.prefixMatch(of: /\| (\d{4}(?:, \d{4})*)/).map { String($0.1) } }
    let documented = Set(rows.flatMap { $0.split(separator: ", ").map(String.init) })
    for path in ["CClientSources/files/live.ts", "CPlayground/files/playground/web-socket.js"] {
      let file = Checkout.root.appendingPathComponent("Sources/" + path)
      let text = try String(contentsOf: file, encoding: .utf8)
      let list = try #require(text.firstMatch(of: /(?:finalCloseCodes = |final = new Set\()\[([\d, ]+)\]/)).1
      let codes = Set(list.split(separator: ", ").map(String.init))
      // The same message would be sent again.
      #expect(codes.isSuperset(of: ["1002", "1007", "1009", "4400", "4403"]), "\(path)")
      #expect(codes.isSubset(of: documented), "\(path): \(codes.subtracting(documented))")
    }
  }

  @Test func `targets: each of ours, and which others it imports, all of them below it`() throws {
    let imports = try importedModules()
    let targets = Set(imports.keys)
    let rows = try Document("architecture.md").table(under: "Architecture")
    let listed = rows.flatMap { row in Document.code(in: row[0]).map { (target: $0, row: row) } }
    #expect(Set(listed.map(\.target)) == targets)
    for (index, (target, row)) in listed.enumerated() {
      let others = Set(Document.code(in: row[2]))
      #expect(imports[target, default: []].intersection(targets) == others, "\(target)")
      #expect(others.isSubset(of: listed[(index + 1)...].map(\.target)), "\(target)")
    }
  }

  @Test func `dependencies in Package.swift: what a target imports, and ours are listed before it`() throws {
    let imports = try importedModules()
    let declared = try declaredTargets().filter { imports[$0.target] != nil }
    #expect(Set(declared.map(\.target)) == Set(imports.keys))
    let systemModules: Set = ["Foundation", "Glibc", "Synchronization"]
    for (index, (target, dependencies)) in declared.enumerated() {
      #expect(dependencies == imports[target, default: []].subtracting(systemModules), "\(target)")
      #expect(dependencies.isDisjoint(with: declared[index...].map(\.target)), "\(target)")
    }
  }

  /// The modules that the files of each target in `Sources` import.
  private func importedModules() throws -> [String: Set<String>] {
    var imports: [String: Set<String>] = [:]
    for file in try Checkout.swiftFiles(in: "Sources") {
      imports[file.target] = imports[file.target] ?? []
      // A plain comparison before the regular expression, which is slow for all lines.
      for line in file.lines where line.contains("import ") {
        guard
          let found = line.firstMatch(of: /^(?:@_exported )?(?:package |public )?import (?:struct |class |enum )?(\w+)/)
        else {
          continue
        }
        imports[file.target, default: []].insert(String(found.1))
      }
    }
    return imports
  }

  /// The targets that `Package.swift` declares one by one, in its order. A target in `Sources` has the name of its
  /// folder.
  private func declaredTargets() throws -> [(target: String, dependencies: Set<String>)] {
    let manifest = try String(contentsOf: Checkout.root.appendingPathComponent("Package.swift"), encoding: .utf8)
    let declaration =
      #/
      (?:layer\(|\.(?:executableTarget|target)\(\s*name:)\s*"([\w-]+)"
      (?:,\s*(?:on|dependencies):\s\[([^\[\]]*)\])?
      (?:,\s*path:\s"Sources/(\w+)")?
      /#
    return manifest.matches(of: declaration).map { match in
      let dependencies = (match.2 ?? "").matches(of: /\.product\(name: "(\w+)", package: "[\w-]+"\)|"(\w+)"/)
      return (target: String(match.3 ?? match.1), dependencies: Set(dependencies.map { String($0.1 ?? $0.2 ?? "") }))
    }
  }

  @Test func `limits are those that are on`() throws {
    let (limits, http) = (RequestLimits(), HTTPLimits())
    let on: [(String, Int)] = [
      ("Bytes of a request body", http.bodyBytes),
      ("Bytes of a body without a valid access token", Configuration().anonymousBodyBytes),
      ("Bytes of all requests held at a time", Configuration().bodyBytesInFlight),
      ("Bytes of all unsent responses", Configuration().responseBytesInFlight),
      ("Bytes of the request line", http.requestLineBytes),
      ("Bytes of all header lines", http.headerBytes), ("Bytes of a document", limits.parsing.documentBytes),
      ("Tokens of a document", limits.parsing.tokens), ("Nesting of braces and brackets", ParseOptions().depth),
      ("Levels of fields", limits.depth), ("Aliases", limits.validation.limits.aliases),
      ("Root fields", limits.validation.limits.rootFields),
      ("Directives at one location", limits.validation.limits.directives),
      ("Fragment spreads, counted each time they are expanded", limits.validation.limits.fragmentSpreads),
      (
        "Nested introspection lists (`fields`, `inputFields`, `interfaces`, `possibleTypes`)",
        limits.validation.limits.introspectionLists
      ),
      ("Bytes of an introspection response", PlanLimits().introspectionBytes),
      ("Validation steps", limits.validation.budget),
      ("Fields, counted for each possible type", limits.planning.fields), ("Cost", limits.cost),
      ("Fragments with `@defer`, counted for each possible type", PlanLimits().deferredFragments),
      ("Fragments and lists that a response delivers later", limits.execution.deferredParts),
      ("Values and keys in the declared variables", limits.execution.variableValues),
      ("Errors in a response; half as many for variables", limits.errors),
      ("Bytes of a response", limits.execution.responseBytes),
    ]
    let rows = try Document("Documentation/operating.md").table(under: "Limits")
    let numbers = Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1].filter(\.isNumber)) })
    #expect(numbers.count == on.count)
    for (name, value) in on { #expect(numbers[name] == String(value), "\(name)") }
    // Each that can be set is among the settings, with the same number.
    let settings = try Document("Documentation/operating.md").table(under: "Settings")
    let defaults = Dictionary(settings.map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
    for row in rows where row[3] != "–" { #expect(defaults[row[3]] == numbers[row[0]], "\(row[3])") }
  }

  @Test func `rate limits are those of the table of actions`() throws {
    let names: [(String, LimitedAction)] = [
      ("wrong passwords", .wrongPassword), ("new passwords", .newPassword), ("providers' tokens", .providerToken),
      ("registrations, whether or not the address has an account", .registration),
      ("mails to verify an address", .verificationMail), ("requests to reset a password", .resetRequest),
      ("mails to reset a password", .resetMail), ("mails about added children", .childMail),
      ("children added", .addedChild), ("changes of a family's time zone", .timeZoneChange),
      ("usernames of children that are taken", .takenUsername), ("invitations", .invitation),
      ("invitations by a person whose address is not verified", .unverifiedInvitation),
      ("invitation mails", .invitationMail), ("addresses and numbers looked up, in hundreds", .addressLookup),
      ("lookups of friends at a provider", .friendLookup),
      ("requests, invitations and roles that notify one person or family", .ask),
      ("the same to all people together", .askAnyone),
      ("further scopes shown to one contact", .share),
      ("the same to all contacts together", .shareWithAnyone),
      ("WebSockets and event streams opened", .connection),
      ("new documents with introspection", .introspection),
      ("mutations with a new idempotency key", .idempotentRequest),
      ("exports of a person's data", .export), ("devices registered", .deviceRegistration),
      ("pictures uploaded, in MiB; each is at least one", .upload),
      ("members' mutations, in KiB of their texts; each is at least one", .mutation),
    ]
    #expect(Set(names.map(\.1)) == Set(LimitedAction.allCases))
    let rows = try Document("Documentation/operating.md").table(under: "Rate limits")
    #expect(rows.map { $0[0] } == names.map(\.0))
    func text(_ limit: RateLimit) -> String {
      let burst = "\(limit.burst)".replacing(/000\b/, with: ",000").replacing(/000,000\b/, with: ",000,000")
      let seconds = Double(limit.interval) / 1_000
      return "\(burst), \(seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)") s"
    }
    for (row, (_, action)) in zip(rows, names) {
      let limits = action.limits
      #expect(row[1].hasPrefix(limits.network.map(text) ?? "–"), "\(action)")
      if let pair = limits.pair { #expect(row[1].hasSuffix(" " + text(pair)), "\(action)") }
      #expect(row[2].hasSuffix(limits.subject.map(text) ?? "–"), "\(action)")
      #expect(row[3] == (limits.total.map(text) ?? "–"), "\(action)")
    }
  }
}

extension ServerSetting {
  /// The cells of its row in the operating guide.
  fileprivate var documentation: [String] {
    let names = (option.map { ["--\($0)"] } ?? []) + variables
    return [names.map { "`\($0)`" }.joined(separator: ", "), standard, description]
  }
}
