/// A format of responses that are delivered in parts.
package enum IncrementalFormat: Sendable {
  /// The specification's draft: `pending` announces what follows by id, `incremental` refers to these ids, and
  /// `completed` ends them.
  case current
  /// The draft of August 24, 2022 (`deferSpec=20220824`), in which `path` and `label` identify a part.
  case previous
}
