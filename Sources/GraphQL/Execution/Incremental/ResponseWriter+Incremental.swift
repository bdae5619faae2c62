import Bytes
import JSON

/// Writes what is delivered later, and records it while the part before is written.
extension ResponseWriter {
  /// Handles the instructions of kind `deferral` and `streamedObjects`.
  mutating func writeIncremental(_ view: borrowing ResponseView, operation: UnsafePointer<WriteOperation>, row: Int)
    -> Bool
  {
    guard let delivery else { preconditionFailure("Only plans for incremental delivery have these instructions.") }
    guard operation.pointee.kind == .streamedObjects else {
      let isRecorded = delivery.append(
        operation.pointee.deferral,
        row: row,
        path: currentPath,
        at: buffer.count
      )
      if !isRecorded { isOverfull = true }
      return isRecorded
    }
    path.append(operation.pointee.field)
    let isWritten = writeStream(view, operation: operation, row: row, delivery: delivery)
    path.removeLast()
    return isWritten
  }

  private var currentPath: [Int32] {
    var steps: [Int32] = []
    for index in path.indices { steps.append(path[index]) }
    return steps
  }

  /// Writes the initial items of a list, and records the others.
  private mutating func writeStream(
    _ view: borrowing ResponseView,
    operation: UnsafePointer<WriteOperation>,
    row: Int,
    delivery: IncrementalDelivery
  ) -> Bool {
    let index = operation.pointee.stream
    let stream = delivery.plan.streams[index]
    let runs = view.runs(of: Int(operation.pointee.source))
    var cursor = Int(runs.starts[row])
    guard cursor >= 0 else {
      buffer.append("[]")
      return true
    }
    let token = RunToken(bits: runs.tokens[cursor])
    guard token.kind == .list, token.payload > stream.initialCount else {
      return withUnsafePointer(to: stream.items) { items in
        writeRun(
          view,
          operation: items,
          tokens: runs.tokens,
          cursor: &cursor,
          wrappers: operation.pointee.wrappers
        )
      }
    }
    let start = buffer.count
    cursor &+= 1
    buffer.append("[")
    let item = TypeReference.item(operation.pointee.wrappers)
    let initial = 0..<stream.initialCount
    let written = writeItems(view, of: stream, tokens: runs.tokens, cursor: &cursor, item: item, indices: initial)
    guard written.count == stream.initialCount else {
      rollBack(to: start)
      return writeNull(ifNullable: operation.pointee.isNullable)
    }
    let isRecorded = delivery.append(
      DeliveryRecords.Stream(
        stream: index,
        path: currentPath,
        current: delivery.records.current,
        position: buffer.count,
        count: token.payload,
        next: stream.initialCount,
        cursor: cursor
      )
    )
    if !isRecorded { isOverfull = true }
    buffer.append("]")
    return isRecorded
  }

  /// The items of a list that were written, and the errors that were reported until then.
  private typealias WrittenItems = (count: Int, errorCount: Int)

  /// Writes items of a list: all of them, or those before the one from which null propagates to the list.
  private mutating func writeItems(
    _ view: borrowing ResponseView,
    of stream: StreamPlan,
    tokens: UnsafePointer<Int64>,
    cursor: inout Int,
    item: UInt32,
    indices: Range<Int>
  ) -> WrittenItems {
    for index in indices {
      let (start, errorCount) = (buffer.count, errors.count)
      if index > indices.lowerBound { buffer.append(",") }
      path.append(Int32(truncatingIfNeeded: -1 - index))
      let isWritten = withUnsafePointer(to: stream.items) { operation in
        writeRun(view, operation: operation, tokens: tokens, cursor: &cursor, wrappers: item)
      }
      path.removeLast()
      if !isWritten {
        rollBack(to: start)
        return (index - indices.lowerBound, errorCount)
      }
    }
    return (indices.count, errors.count)
  }

  // MARK: Later parts

  /// Writes the entries of a part, up to the first error if that halts the execution. Returns false if the part is not
  /// known to be complete, because a fragment failed of which other fields have been written: the part is then written
  /// again without them.
  mutating func writeEntries(of part: IncrementalDelivery.Part, _ delivery: IncrementalDelivery) -> Bool {
    withView { writer, view in
      switch part {
      case .initial: return true
      case .groups(let groups):
        var isFinal = true
        for group in groups where !writer.isHalted {
          if !writer.writeEntry(view, ofGroup: group, delivery) { isFinal = false }
        }
        return isFinal
      case .streams(let streams):
        for stream in streams where !writer.isHalted { writer.writeEntry(view, ofStream: stream, delivery) }
        return true
      }
    }
  }

  /// Returns false if null propagates out of the fragments.
  private mutating func writeEntry(
    _ view: borrowing ResponseView,
    ofGroup index: Int,
    _ delivery: IncrementalDelivery
  ) -> Bool {
    let group = delivery.records.groups[index]
    if delivery.records.isFailed(group) {
      delivery.records.deliver(index)
      return true
    }
    // The fragment with the longest path makes the rest of the path shortest.
    let recipients = group.fragments.map { delivery.records.fragments[$0] }
      .filter { $0.progress == .pending && $0.errors == nil }
    guard let recipient = recipients.max(by: { $0.path.count < $1.path.count }) else { return true }
    let start = buffer.count
    begin(group.path, current: group.current, delivery: delivery)
    appendSeparator()
    buffer.append("{\"data\":")
    let isWritten = writeObject(view, set: group.set, row: group.row)
    delivery.records.deliver(index)
    guard isWritten else {
      rollBack(to: start)
      for fragment in group.fragments { delivery.records.fragments[fragment].errors = reportedErrors }
      return false
    }
    ErrorResponse.append(reportedErrors, to: &buffer)
    switch delivery.format {
    case .current:
      append(id: recipient.id)
      append(path: group.path[recipient.path.count...], named: "subPath", ifEmpty: false)
    case .previous:
      append(path: group.path[...], named: "path")
      let complete = group.fragments.first { fragment in
        let fragment = delivery.records.fragments[fragment]
        return fragment.openGroups == 0 && fragment.path == group.path && !fragment.isLabelled
      }
      if let complete {
        delivery.records.fragments[complete].isLabelled = true
        append(label: delivery.plan.usages[delivery.records.fragments[complete].usage].label)
      }
    }
    buffer.append("}")
    return true
  }

  /// Writes the next items of a list. If null propagates from an item to the list, the entry has the items before it,
  /// or is not written if it would be empty. The end of the part reports the errors of the item.
  private mutating func writeEntry(
    _ view: borrowing ResponseView,
    ofStream index: Int,
    _ delivery: IncrementalDelivery
  ) {
    let record = delivery.records.streams[index]
    let stream = delivery.plan.streams[record.stream]
    let items = delivery.items(of: record)
    let start = buffer.count
    begin(record.path, current: record.current, delivery: delivery)
    appendSeparator()
    buffer.append("{\"items\":[")
    var cursor = record.cursor
    let tokens = view.runs(of: Int(stream.items.source)).tokens
    let item = TypeReference.item(stream.items.wrappers)
    let written = writeItems(view, of: stream, tokens: tokens, cursor: &cursor, item: item, indices: items)
    delivery.records.streams[index].next += written.count
    delivery.records.streams[index].cursor = cursor
    var itemErrors = reportedErrors
    if written.count < items.count {
      delivery.records.streams[index].errors = Array(itemErrors.dropFirst(written.errorCount))
      guard written.count > 0 else { return rollBack(to: start) }
      itemErrors = Array(itemErrors.prefix(written.errorCount))
    }
    buffer.append("]")
    ErrorResponse.append(itemErrors, to: &buffer)
    switch delivery.format {
    case .current: append(id: record.id)
    case .previous:
      append(path: record.nextPath[...], named: "path")
      append(label: stream.label)
    }
    buffer.append("}")
  }

  /// Prepares for an object or list at a path, with errors of its own.
  private mutating func begin(_ path: [Int32], current: [Int], delivery: IncrementalDelivery) {
    self.path.removeAll()
    for step in path { self.path.append(step) }
    delivery.records.current = current
    errors = ResponseErrors(limit: delivery.limits.errors)
    isHalted = false
  }
}
