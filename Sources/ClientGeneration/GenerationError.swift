/// The errors that prevent the generation of a client, each with its file and location if known.
package struct GenerationError: Error, Hashable, Sendable, CustomStringConvertible {
  package let messages: [String]

  package var description: String { messages.joined(separator: "\n") }
}
