/// Where a header line's name and value are, counted from the first byte of its request.
struct HeaderField: Sendable, Equatable {
  let nameStart: UInt32
  let nameLength: UInt32
  let valueStart: UInt32
  let valueLength: UInt32
  let name: HeaderName

  var nameRange: Range<Int> { Int(nameStart)..<Int(nameStart) &+ Int(nameLength) }
  var valueRange: Range<Int> { Int(valueStart)..<Int(valueStart) &+ Int(valueLength) }
}
