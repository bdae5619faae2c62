/// Where in the answer an object has been written with a selection set.
struct WrittenObject: BitwiseCopyable {
  let start: Int
  let length: Int

  /// An object takes two bytes at least.
  static let never = WrittenObject(start: 0, length: 0)
}
