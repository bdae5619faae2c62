import Testing

/// Within a target the compiler lets every file use every other. This keeps the folders of the large targets in layers.
@Suite("Folders depend downwards")
struct FolderOrderTests {
  /// A target's folders from the bottom up: a file may name what its own folder and those before it declare. Files
  /// outside the folders are above all of them.
  struct Order: CustomTestStringConvertible, Sendable {
    let target: String
    let folders: [String]
    /// The targets that it imports. A name that they declare too can refer to them, so it is not an upward reference.
    var imports: [String] = []
    /// Names of the standard library that a folder declares too: types of its own, or members of them.
    let standardNames: Set<String>

    var testDescription: String { target }
  }

  static let orders = [
    Order(
      target: "GraphQL",
      folders: [
        "Errors", "Language", "TypeSystem", "Coercion", "SchemaBuilding", "Validation", "Binding", "Planning",
        "Execution", "Subscriptions",
      ],
      standardNames: [
        "indices", "isEmpty", "keys", "last", "lowercased", "prefix", "remove", "removeAll", "removeLast", "sorted",
        "starts",
      ]
    ),
    Order(
      target: "Hearth",
      folders: [
        "Identifiers", "Values", "Calendar", "Input", "Web", "Telemetry", "Data", "Limits", "Mail", "Identities",
        "Push",
        "Configuration", "Pages", "Media", "Migrations", "StoredDocuments", "Sessions", "Feed", "Paging", "Idempotency",
        "Request", "Loading",
        "Schema", "Sharing", "Devices", "Notifications", "Search", "Contacts", "ContactInfo", "Points", "Members",
        "Groups",
        "Items", "Contracts", "Chores", "Accounts", "AddressBook", "Family", "PersonalData", "Composing", "Metrics",
        "Control", "Moving", "Seeding",
      ],
      imports: [
        "Assets", "Basics", "Bytes", "EventLoop", "GraphQL", "GraphQLTransport", "HTTP", "HTTPServer", "JSON",
        "Pictures", "Storage", "WebSocket",
      ],
      standardNames: [
        "Task", "allCases", "drop", "filter", "joined", "keys", "prefix", "random", "rawRepresentation", "remove",
        "sleep", "sorted",
      ]
    ),
  ]

  @Test(arguments: orders)
  func `no file names what a folder above its own declares`(order: Order) throws {
    let files = try Self.files(of: order.target)
    #expect(files.count > 100)
    let folders = Set(files.compactMap { Self.folder(of: $0.0) })
    #expect(folders == Set(order.folders))
    let imported = try order.imports.flatMap(Self.files)
    let upward = Self.upwardReferences(files, order, imported: imported.map(\.1))
    #expect(upward == [])
  }

  @Test(arguments: orders) func `the architecture's table is the order`(order: Order) throws {
    let rows = try Document("architecture.md").table(under: "The folders of `\(order.target)`")
    #expect(rows.flatMap { Document.code(in: $0[0]) } == order.folders)
  }

  static func files(of target: String) throws -> [(Checkout.File, SwiftDeclarations)] {
    try Checkout.swiftFiles(in: "Sources/\(target)").map { ($0, SwiftDeclarations($0)) }
  }

  /// Nil for a file of the target's own.
  static func folder(of file: Checkout.File) -> String? {
    let path = file.path.split(separator: "/")
    return path.count > 3 ? String(path[2]) : nil
  }

  /// Each as `file names declaration of folder`.
  static func upwardReferences(
    _ files: [(Checkout.File, SwiftDeclarations)],
    _ order: Order,
    imported: [SwiftDeclarations] = []
  ) -> [String] {
    let levels = Dictionary(uniqueKeysWithValues: order.folders.enumerated().map { ($1, $0) })
    var found: [String] = []
    // The lowest folder that declares a name: by text alone, it may be the one that is meant.
    var types: [String: Int] = [:]
    var members: [String: Int] = [:]
    var located: [(file: Checkout.File, declarations: SwiftDeclarations, level: Int)] = []
    for declarations in imported {
      for declaration in declarations.declarations where declaration.isType && !declaration.isPrivate {
        types[declaration.name] = -1
      }
      for declaration in declarations.declarations where !declaration.isType { members[declaration.name] = -1 }
      for label in declarations.labels { members[label] = -1 }
    }
    for (file, declarations) in files {
      let folder = folder(of: file)
      guard let level = folder.map({ levels[$0] }) ?? order.folders.count else {
        found.append("\(file.path) is in no folder of the order")
        continue
      }
      located.append((file, declarations, level))
      for declaration in declarations.declarations {
        if declaration.isType {
          if declaration.isPrivate { continue }
          types[declaration.name] = min(types[declaration.name] ?? level, level)
        } else {
          members[declaration.name] = min(members[declaration.name] ?? level, level)
        }
      }
      for label in declarations.labels { members[label] = min(members[label] ?? level, level) }
    }
    func name(of level: Int) -> String { level < order.folders.count ? order.folders[level] : order.target }
    for (file, declarations, level) in located {
      // A name that a file declares itself is its own, if only privately.
      let own = Set(declarations.declarations.filter(\.isType).map(\.name)).union(order.standardNames)
        .union(declarations.genericParameters)
      for type in declarations.typeUses.subtracting(own).sorted() {
        if let declared = types[type], declared > level {
          found.append("\(file.path) names \(type) of \(name(of: declared))")
        }
      }
      for member in declarations.memberUses.subtracting(order.standardNames).sorted() {
        if let declared = members[member], declared > level, types[member] == nil {
          found.append("\(file.path) names .\(member) of \(name(of: declared))")
        }
      }
    }
    return found
  }

  @Test func `an upward reference is found, by type and by member`() {
    let files = [
      Checkout.File(
        path: "Sources/X/Low/Low.swift",
        text: "struct Low { // High\n  let text = \"High \\(High.count)\"\n  func use() { value.grow() }\n}"
      ),
      Checkout.File(path: "Sources/X/Low/Other.swift", text: "struct Other { let low: Low }"),
      Checkout.File(
        path: "Sources/X/High/High.swift",
        text: "struct High {\n  static let count = 1\n  let low: Low\n}\nextension Low {\n  func grow() {}\n}"
      ),
      Checkout.File(
        path: "Sources/X/High/Own.swift",
        text: "private struct Top {\n  let top: Top?\n  let above: Above\n}"
      ),
      Checkout.File(path: "Sources/X/Top.swift", text: "struct Top { let high: High }\nstruct Above {}"),
    ]
    let found = Self.upwardReferences(
      files.map { ($0, SwiftDeclarations($0)) },
      Order(target: "X", folders: ["Low", "High"], standardNames: [])
    )
    #expect(
      found == [
        "Sources/X/Low/Low.swift names High of High", "Sources/X/Low/Low.swift names .count of High",
        "Sources/X/Low/Low.swift names .grow of High", "Sources/X/High/Own.swift names Above of X",
      ]
    )
  }
}
