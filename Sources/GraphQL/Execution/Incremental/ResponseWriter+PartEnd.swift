import Bytes

/// Writes the end of the parts of a response.
extension ResponseWriter {
  /// Ends a part: announces what follows, says what is complete, and whether more follows.
  mutating func writeEnd(_ delivery: IncrementalDelivery, isInitial: Bool) {
    let (announced, completed) = delivery.records.advance()
    if !isInitial {
      if delivery.format == .previous {
        for complete in completed { writeLastEntry(of: complete, delivery) }
      }
      endEntries()
    }
    if delivery.format == .current {
      appendList("pending", elements: announced) { writer, announced in
        switch announced {
        case .fragment(let index):
          let fragment = delivery.records.fragments[index]
          writer.append(id: fragment.id, isFirst: true)
          writer.append(path: fragment.path[...], named: "path")
          writer.append(label: delivery.plan.usages[fragment.usage].label)
        case .stream(let index):
          let stream = delivery.records.streams[index]
          writer.append(id: stream.id, isFirst: true)
          writer.append(path: stream.path[...], named: "path")
          writer.append(label: delivery.plan.streams[stream.stream].label)
        }
      }
      appendList("completed", elements: completed) { writer, completed in
        let (id, errors) =
          switch completed {
          case .fragment(let index): (delivery.records.fragments[index].id, delivery.records.fragments[index].errors)
          case .stream(let index): (delivery.records.streams[index].id, delivery.records.streams[index].errors)
          }
        writer.append(id: id, isFirst: true)
        ErrorResponse.append(errors ?? [], to: &writer.buffer)
      }
    }
    appendSeparator()
    buffer.append(delivery.records.hasNext ? "\"hasNext\":true}" : "\"hasNext\":false}")
  }

  /// Ends the list of entries, or removes it with its key if it is empty: both formats require entries in it.
  private mutating func endEntries() {
    let isEmpty = buffer.withUnsafeBytes { $0.last == UInt8(ascii: "[") }
    // The list is the first member of the part.
    if isEmpty { buffer.truncate(to: 1) } else { buffer.append("]") }
  }

  /// In the previous format each fragment has an entry with its own path and label, and so does the item that ends a
  /// list with errors.
  private mutating func writeLastEntry(of completed: DeliveryRecords.Announced, _ delivery: IncrementalDelivery) {
    switch completed {
    case .fragment(let index):
      let fragment = delivery.records.fragments[index]
      guard !fragment.isLabelled else { return }
      appendSeparator()
      buffer.append(fragment.errors == nil ? "{\"data\":{}" : "{\"data\":null")
      ErrorResponse.append(fragment.errors ?? [], to: &buffer)
      append(path: fragment.path[...], named: "path")
      append(label: delivery.plan.usages[fragment.usage].label)
    case .stream(let index):
      let stream = delivery.records.streams[index]
      guard let errors = stream.errors else { return }
      appendSeparator()
      buffer.append("{\"items\":null")
      ErrorResponse.append(errors, to: &buffer)
      append(path: stream.nextPath[...], named: "path")
      append(label: delivery.plan.streams[stream.stream].label)
    }
    buffer.append("}")
  }
}
