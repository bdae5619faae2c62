import Bytes

extension JSONValue {
  /// The elements of an array in order; nil if the value is not an array.
  package var elements: JSONElements? { kind == .array ? JSONElements(of: self) : nil }

  /// The members of an object in order, including repeated keys; nil if the value is not an object.
  package var members: JSONMembers? { kind == .object ? JSONMembers(of: self) : nil }

  /// The first member with a key; nil if there is none or the value is not an object. Takes time linear in the number
  /// of members: for a few lookups in an object of bounded size.
  package subscript(key: StaticString) -> JSONValue? {
    guard kind == .object else { return nil }
    var index = index &+ 1
    while index < next {
      if document.string(at: index, equals: key) { return JSONValue(document: document, index: index &+ 1) }
      index = Int(document.nodes[index &+ 1].next)
    }
    return nil
  }

  /// The text of the member with a key. Nil if the member is not a string, is missing or is repeated. Takes time linear
  /// in the number of members.
  package func text(ofOnly key: String) -> String? {
    guard kind == .object else { return nil }
    var found: Int?
    var at = index &+ 1
    while at < next {
      if document.string(at: at, equals: key) {
        guard found == nil else { return nil }
        found = at &+ 1
      }
      at = Int(document.nodes[at &+ 1].next)
    }
    return found.flatMap { document.text(at: $0) }
  }

  /// Calls `body` with the positions of each key and its value, including repeated keys. Does nothing if the value is
  /// not an object. A position is passed instead of a value, which would be retained: see `value(at:)`.
  @inline(__always)
  package func forEachMember<Failure>(
    _ body: (_ key: JSONPosition, _ value: JSONPosition) throws(Failure) -> Void
  ) throws(Failure) {
    guard kind == .object else { return }
    var key = index &+ 1
    while key < next {
      try body(JSONPosition(key), JSONPosition(key &+ 1))
      key = Int(document.nodes[key &+ 1].next)
    }
  }

  /// The value at a position in the document of this one.
  package func value(at position: JSONPosition) -> JSONValue { JSONValue(document: document, index: position.index) }

  /// The value at a position if it is not null.
  package func presentValue(at position: JSONPosition) -> JSONValue? {
    document.nodes[position.index].kind == .null ? nil : value(at: position)
  }

  /// `nodeCount` of the value at a position.
  package func nodeCount(at position: JSONPosition) -> Int {
    Int(document.nodes[position.index].next) &- position.index
  }

  /// The text of the string at a position as sent, with its escapes; nil if the value is not a string.
  package func escapedBytes(at position: JSONPosition) -> ArraySlice<UInt8>? {
    document.escapedBytes(at: position.index)
  }

  /// Whether the value at a position is the string `text`.
  package func equals(_ text: StaticString, at position: JSONPosition) -> Bool {
    document.string(at: position.index, equals: text)
  }

  /// Whether the value at a position is the string `text`.
  package func equals(_ text: String, at position: JSONPosition) -> Bool {
    document.string(at: position.index, equals: text)
  }

  /// The first key of the object that equals an earlier one after decoding escapes; nil if all keys are different.
  package var repeatedKey: JSONValue? {
    guard let members else { return nil }
    var seen: Set<ArraySlice<UInt8>> = []
    var number = 0
    for member in members {
      number += 1
      // For a few keys, comparing all pairs is faster than a set and needs no memory.
      if number <= 8 {
        if hasKeyBefore(member.key.index) { return member.key }
        continue
      }
      if number == 9 { seen = Set(members.prefix(8).compactMap(\.key.stringBytes)) }
      guard let text = member.key.stringBytes, !seen.insert(text).inserted else { continue }
      return member.key
    }
    return nil
  }

  private func hasKeyBefore(_ later: Int) -> Bool {
    var earlier = index &+ 1
    while earlier < later {
      if document.stringsAreEqual(at: earlier, later) { return true }
      earlier = Int(document.nodes[earlier &+ 1].next)
    }
    return false
  }
}

/// The position of a value in a document.
package struct JSONPosition: BitwiseCopyable, Sendable {
  let index: Int

  init(_ index: Int) { self.index = index }
}

/// A lazy sequence of the elements of an array.
package struct JSONElements: Sequence, IteratorProtocol, Sendable {
  private let document: JSONDocument
  private var index: Int
  private let end: Int

  init(of array: JSONValue) {
    document = array.document
    index = array.index &+ 1
    end = array.next
  }

  package mutating func next() -> JSONValue? {
    guard index < end else { return nil }
    let element = JSONValue(document: document, index: index)
    index = element.next
    return element
  }
}

/// A lazy sequence of the members of an object.
package struct JSONMembers: Sequence, IteratorProtocol, Sendable {
  package typealias Member = (key: JSONValue, value: JSONValue)

  private let document: JSONDocument
  private var index: Int
  private let end: Int

  init(of object: JSONValue) {
    document = object.document
    index = object.index &+ 1
    end = object.next
  }

  package mutating func next() -> Member? {
    guard index < end else { return nil }
    let key = JSONValue(document: document, index: index)
    let value = JSONValue(document: document, index: index &+ 1)
    index = value.next
    return (key, value)
  }
}
