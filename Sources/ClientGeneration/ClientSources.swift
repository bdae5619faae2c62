import CClientSources

/// The parts of clients that do not depend on documents. They are embedded in the program.
package enum ClientSources {
  /// The end of a generated TypeScript file.
  package static var typescript: String { typescript_client_source().text }

  /// React hooks over a TypeScript client, without the line that imports it.
  static var react: String { react_hooks_source().text }

  /// The files of the module `HearthClient`.
  package static var swift: [GeneratedFile] {
    (0..<swift_client_source_count).map { index in
      let source = swift_client_source(index)
      return GeneratedFile(name: String(cString: source.name), text: source.text)
    }
  }
}

extension ClientSource {
  /// The pointer refers to `count` bytes that exist for the life of the process: see CClientSources.h.
  fileprivate var text: String { String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self) }
}
