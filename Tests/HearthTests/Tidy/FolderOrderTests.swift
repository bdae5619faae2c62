import Testing

/// Within a target the compiler lets every file use every other. This keeps the folders of the large targets in layers.
@Suite("Folders depend downwards")
struct FolderOrderTests {
  /// A target's folders from the bottom up: a file may name what its own folder and those before it declare.
  struct Order: CustomTestStringConvertible, Sendable {
    let target: String
    let folders: [String]
    /// Members of the standard library's types that a folder declares too, for types of its own.
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
    )
  ]

  @Test(arguments: orders)
  func `no file names what a folder above its own declares`(order: Order) throws {
    let files = try Checkout.swiftFiles(in: "Sources/\(order.target)").map { ($0, SwiftDeclarations($0)) }
    #expect(files.count > 100)
    let upward = Self.upwardReferences(files, order)
    #expect(upward == [])
  }

  /// Each as `file names declaration of folder`.
  static func upwardReferences(_ files: [(Checkout.File, SwiftDeclarations)], _ order: Order) -> [String] {
    let levels = Dictionary(uniqueKeysWithValues: order.folders.enumerated().map { ($1, $0) })
    var found: [String] = []
    // The lowest folder that declares a name: by text alone, it may be the one that is meant.
    var types: [String: Int] = [:]
    var members: [String: Int] = [:]
    var located: [(file: Checkout.File, declarations: SwiftDeclarations, level: Int)] = []
    for (file, declarations) in files {
      let folder = String(file.path.split(separator: "/")[2])
      guard let level = levels[folder] else {
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
    for (file, declarations, level) in located {
      for name in declarations.typeUses.sorted() {
        if let declared = types[name], declared > level {
          found.append("\(file.path) names \(name) of \(order.folders[declared])")
        }
      }
      for name in declarations.memberUses.subtracting(order.standardNames).sorted() {
        if let declared = members[name], declared > level, types[name] == nil {
          found.append("\(file.path) names .\(name) of \(order.folders[declared])")
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
    ]
    let found = Self.upwardReferences(
      files.map { ($0, SwiftDeclarations($0)) },
      Order(target: "X", folders: ["Low", "High"], standardNames: [])
    )
    #expect(
      found == [
        "Sources/X/Low/Low.swift names High of High", "Sources/X/Low/Low.swift names .count of High",
        "Sources/X/Low/Low.swift names .grow of High",
      ]
    )
  }
}
