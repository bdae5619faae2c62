/// The delivery of a response in parts: what the execution has recorded for later, and in which format.
///
/// Each part delivers one fragment of the document, or one list, for all objects of the response. So a part needs as
/// many statements as its levels have batches, however many objects there are.
final class IncrementalDelivery {
  let plan: IncrementalPlan
  let format: IncrementalFormat
  let limits: ExecutionLimits
  var records = DeliveryRecords()
  /// The bytes of the parts so far, which count toward the limit of the response.
  var sentBytes = 0
  /// Whether more was deferred than the limit allows.
  private(set) var isOverLimit = false

  init(_ plan: IncrementalPlan, format: IncrementalFormat, limits: ExecutionLimits) {
    self.plan = plan
    self.format = format
    self.limits = limits
  }

  /// What a part delivers.
  enum Part: Sendable {
    case initial
    /// Indices in `DeliveryRecords.groups`.
    case groups([Int])
    /// Indices in `DeliveryRecords.streams`.
    case streams([Int])
  }

  /// The part after those that were delivered: what was announced first.
  var nextPart: Part {
    let fragment = records.fragments.indices.filter { records.fragments[$0].progress == .pending }
      .min { records.fragments[$0].id < records.fragments[$1].id }
    let stream = records.streams.indices.filter { records.streams[$0].progress == .pending }
      .min { records.streams[$0].id < records.streams[$1].id }
    if let stream, fragment.map({ records.streams[stream].id < records.fragments[$0].id }) ?? true {
      let plan = records.streams[stream].stream
      return .streams(
        records.streams.indices.filter {
          records.streams[$0].stream == plan && records.streams[$0].progress == .pending
        }
      )
    }
    return .groups(fragment.map { records.dueGroups(of: $0) } ?? [])
  }

  /// The items of a list that its next part delivers.
  func items(of stream: DeliveryRecords.Stream) -> Range<Int> {
    stream.next..<min(stream.next + max(1, limits.streamedItems), stream.count)
  }

  // MARK: Recording

  /// Records what an object defers. Returns false if that is too much.
  func append(_ deferral: Int, row: Int, path: [Int32], at position: Int) -> Bool {
    records.append(plan.deferrals[deferral], plan: plan, row: row, path: path, at: position)
    return checkLimit()
  }

  /// Records the rest of a list. Returns false if that is too much.
  func append(_ stream: DeliveryRecords.Stream) -> Bool {
    records.streams.append(stream)
    return checkLimit()
  }

  private func checkLimit() -> Bool {
    if records.count > limits.deferredParts { isOverLimit = true }
    return !isOverLimit
  }

  /// Ends everything that is pending, because nothing more can be delivered.
  func fail(_ error: GraphQLError) {
    for index in records.fragments.indices where records.fragments[index].progress != .ended {
      records.fragments[index].errors = [error]
      if records.fragments[index].progress == .unannounced { records.fragments[index].progress = .ended }
    }
    for index in records.streams.indices where records.streams[index].progress != .ended {
      records.streams[index].errors = [error]
      if records.streams[index].progress == .unannounced { records.streams[index].progress = .ended }
    }
  }

  /// Why the response ends before everything is delivered.
  var limitError: GraphQLError {
    isOverLimit
      ? GraphQLError(
        "The response defers more than \(limits.deferredParts) fragments and lists. Defer fewer, or select fewer items.",
        code: .tooManyDeferredParts
      )
      : ErrorResponse.tooLargeError(limits.responseBytes)
  }
}
