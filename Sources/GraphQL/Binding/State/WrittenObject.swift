/// The bytes of the response in which an object was written with a selection set.
struct WrittenObject: BitwiseCopyable {
  let start: Int
  let length: Int

  /// Marks an object that has not been written. A written object has at least two bytes.
  static let never = WrittenObject(start: 0, length: 0)
}
