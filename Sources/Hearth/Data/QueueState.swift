/// Where an entry of a queue stands. The raw values are those of the operators' JSON.
package enum QueueState: String, Codable, Sendable {
  case waiting
  /// An attempt has failed, and there is another one later.
  case retrying
  case failed
}
