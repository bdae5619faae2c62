import GraphQL
import Testing

/// The values seen in responses, by the coordinates of their fields.
struct Sightings {
  /// The values, by field coordinate and parent object.
  private(set) var values: [String: [String: Value]] = [:]
  /// The ids, by type.
  private(set) var ids: [String: Set<String>] = [:]

  let coordinates: SchemaCoordinates

  init(_ coordinates: SchemaCoordinates) { self.coordinates = coordinates }

  /// Adds an object that was queried with `SchemaCoordinates.selection`. `key` names it.
  mutating func read(_ value: Value, _ type: TypeDefinition, _ key: String) {
    for field in type.fields {
      for asked in coordinates.asked(type, field) {
        let here = asked.alias == field.name ? key : "\(key) \(asked.alias)"
        read(value[asked.alias], field, of: type, here)
      }
    }
  }

  /// Adds values that were seen at another time, when they may have been different.
  mutating func add(_ other: Sightings) {
    values.merge(other.values) { $0.merging($1) { $1 } }
    ids.merge(other.ids) { $0.union($1) }
  }

  private mutating func read(_ value: Value, _ field: FieldDefinition, of type: TypeDefinition, _ key: String) {
    guard value != .null, value != [] else { return }
    let result = coordinates.schema[field.type.type]
    if result.isLeaf { return note(value, field, of: type, key) }
    let items = if case .array(let items) = value { items } else { [value] }
    note(Value(items.map { $0["id"].string ?? "" }), field, of: type, key)
    for (index, item) in items.enumerated() {
      guard let name = item["__typename"].string, let type = coordinates.object(name) else { continue }
      guard coordinates.isNode(result), let id = item["id"].string else {
        read(item, type, "\(key).\(field.name).\(index)")
        continue
      }
      ids[name, default: []].insert(id)
      for field in type.fields where coordinates.schema[field.type.type].isLeaf {
        let alias = result.kind == .object ? field.name : SchemaCoordinates.alias(field, of: type)
        read(item[alias], field, of: type, id)
      }
    }
  }

  private mutating func note(_ value: Value, _ field: FieldDefinition, of type: TypeDefinition, _ key: String) {
    let coordinate = "\(type.name).\(field.name)"
    let before = values[coordinate, default: [:]].updateValue(value, forKey: key)
    if let before, before != value {
      Issue.record("\(coordinate) is \(before) by one way and \(value) by another")
    }
  }
}
