extension UnsafeMutableRawPointer {
  /// Copies bytes that do not overlap these. Most that an answer is made of are names and numbers of a few bytes, for
  /// which a call of `memcpy` takes longer than two stores: a third of writing was spent so.
  ///
  /// Nothing beyond `count` bytes is read or written: what is no multiple of a word ends with a word that overlaps the
  /// one before it.
  @inline(__always)
  func copyShort(from source: UnsafeRawPointer, count: Int) {
    if count > 32 {
      copyMemory(from: source, byteCount: count)
    } else if count >= 16 {
      copy(SIMD2<UInt64>.self, from: source, at: 0)
      copy(SIMD2<UInt64>.self, from: source, at: count &- 16)
    } else if count >= 8 {
      copy(UInt64.self, from: source, at: 0)
      copy(UInt64.self, from: source, at: count &- 8)
    } else if count >= 4 {
      copy(UInt32.self, from: source, at: 0)
      copy(UInt32.self, from: source, at: count &- 4)
    } else {
      for at in 0..<count { copy(UInt8.self, from: source, at: at) }
    }
  }

  @inline(__always)
  private func copy<Word: BitwiseCopyable>(_: Word.Type, from source: UnsafeRawPointer, at offset: Int) {
    storeBytes(of: source.loadUnaligned(fromByteOffset: offset, as: Word.self), toByteOffset: offset, as: Word.self)
  }
}
