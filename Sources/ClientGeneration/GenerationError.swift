/// Everything that keeps a client from being generated, each with its file and place where it has one.
package struct GenerationError: Error, Hashable, Sendable, CustomStringConvertible {
  package let messages: [String]

  package var description: String { messages.joined(separator: "\n") }
}
