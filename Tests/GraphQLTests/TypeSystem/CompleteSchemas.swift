import Foundation

/// Complete schemas.
enum CompleteSchemas {
  /// The paths of their files.
  static let files = ["schema.graphql", "Tests/GraphQLTests/Documents/type-system.graphql"]

  static func sdl(_ file: String) throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    return try String(contentsOf: root.appending(path: file).standardizedFileURL, encoding: .utf8)
  }
}
