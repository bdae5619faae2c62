import Bytes
import JSON

/// The members of the entries that responses in parts have.
extension ResponseWriter {
  mutating func appendList(
    _ name: String,
    elements: [DeliveryRecords.Announced],
    _ body: (inout ResponseWriter, DeliveryRecords.Announced) -> Void
  ) {
    guard !elements.isEmpty else { return }
    appendSeparator()
    buffer.append("\"\(name)\":[")
    for (index, element) in elements.enumerated() {
      buffer.append(index > 0 ? ",{" : "{")
      body(&self, element)
      buffer.append("}")
    }
    buffer.append("]")
  }

  /// A comma, unless the entry is the first of its list, or the member the first of its object.
  mutating func appendSeparator() {
    let isFirst = buffer.withUnsafeBytes { $0.last == UInt8(ascii: "[") || $0.last == UInt8(ascii: "{") }
    if !isFirst { buffer.append(",") }
  }

  mutating func append(id: Int, isFirst: Bool = false) {
    buffer.append(isFirst ? "\"id\":\"" : ",\"id\":\"")
    buffer.append(decimal: Int64(id))
    buffer.append("\"")
  }

  mutating func append(label: String?) {
    guard let label else { return }
    buffer.append(",\"label\":")
    buffer.append(jsonString: label)
  }

  mutating func append(path: ArraySlice<Int32>, named name: String, ifEmpty: Bool = true) {
    guard ifEmpty || !path.isEmpty else { return }
    buffer.append(",\"\(name)\":[")
    for (index, step) in path.enumerated() {
      if index > 0 { buffer.append(",") }
      if step < 0 {
        buffer.append(decimal: Int64(-1 - step))
      } else {
        buffer.append(jsonString: plan.responseKey(of: plan.fields[Int(step)]))
      }
    }
    buffer.append("]")
  }
}
