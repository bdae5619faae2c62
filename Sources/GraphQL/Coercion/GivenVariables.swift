import JSON

/// The variables of a request as JSON, before coercion. Values are decoded only when the operation is known; values of
/// variables that the operation does not declare are skipped without decoding.
package struct GivenVariables: Sendable {
  /// A JSON object, or nil if the request has no variables.
  package let object: JSONValue?
  /// The files of a multipart request: the index of each file by the offset of the `null` that it replaces. Nil for a
  /// request without files: retaining an empty dictionary takes longer than retaining an object.
  private(set) var files: [Int: Int]?

  package static let none = GivenVariables(nil)

  /// `object` must be a JSON object.
  package init(_ object: JSONValue?) { self.object = object }

  package var isEmpty: Bool { object == nil }

  /// The number of scalars, list items, keys and objects in all variables.
  package var valueCount: Int { object?.nodeCount ?? 0 }

  /// The text of the variable with a name. Nil if it is not a string, is missing or is given twice.
  func text(ofOnly name: String) -> String? { object?.text(ofOnly: name) }

  /// The size in bytes of the JSON text that contains the variables, including the rest of that text.
  package var textBytes: Int { object?.textBytes ?? 0 }

  /// Finds the value of each definition: `values` has room for its position, in the order of the definitions. Returns
  /// the first declared variable that is provided twice.
  func find(
    _ definitions: [VariableDefinition],
    into values: UnsafeMutableBufferPointer<JSONPosition?>
  ) -> String? {
    values.initialize(repeating: nil)
    guard let object else { return nil }
    let indices =
      definitions.count > VariableValues.handful
      ? Dictionary(definitions.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first }) : nil
    var repeated: String?
    object.forEachMember { key, value in
      let index: Int?
      if let indices {
        // Names of variables are ASCII. Hashing others takes quadratic time for many combining marks in a row.
        index = object.value(at: key).string.flatMap { name in
          name.utf8.allSatisfy { $0 < 0x80 } ? indices[name] : nil
        }
      } else {
        index = definitions.indices.first { object.equals(definitions[$0].name, at: key) }
      }
      guard let index, repeated == nil else { return }
      if values[index] != nil { repeated = definitions[index].name }
      values[index] = value
    }
    return repeated
  }

  // MARK: Files

  /// Replaces the `null` at a path with a file. The path begins with the name of a variable. Returns false if there is
  /// no `null` at the path, or a file has replaced it already.
  package mutating func put(file: Int, at path: ArraySlice<Substring>) -> Bool {
    guard var value = object else { return false }
    for step in path {
      let inner: JSONValue?
      switch value.kind {
      case .object: inner = value.members?.first { $0.key.equals(String(step)) }?.value
      case .array: inner = Int(step).flatMap { $0 < 0 ? nil : value.elements?.dropFirst($0).first { _ in true } }
      default: inner = nil
      }
      guard let inner else { return false }
      value = inner
    }
    guard value.isNull, self.file(at: value) == nil else { return false }
    var files = self.files ?? [:]
    self.files = nil
    files[value.offset] = file
    self.files = files
    return true
  }

  /// The index of the file that replaces a `null`.
  @inline(__always)
  func file(at value: JSONValue) -> Int? { files?[value.offset] }
}
