import CAssets
import CPlayground

/// A list of common passwords, created by `Scripts/list-common-passwords`. The list and its licence are in
/// Sources/CAssets/passwords.
package enum CommonPasswords {
  /// Whether the list contains a text, which must be in lower case and NFKC.
  package static func contain(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { word in
      let file = CAssets.common_passwords()
      // The pointer is valid for the life of the process: see CAssets.h.
      return contains(UnsafeRawBufferPointer(word), in: UnsafeRawBufferPointer(start: file.bytes, count: file.count))
    }
  }

  /// Binary search: the list has one word per line, sorted by bytes.
  private static func contains(_ word: UnsafeRawBufferPointer, in list: UnsafeRawBufferPointer) -> Bool {
    let newline = UInt8(ascii: "\n")
    var (low, high) = (0, list.count)
    while low < high {
      // The line around the middle.
      var start = (low + high) / 2
      while start > low, list[start - 1] != newline { start -= 1 }
      var end = start
      while end < high, list[end] != newline { end += 1 }
      let line = UnsafeRawBufferPointer(rebasing: list[start..<end])
      if word.elementsEqual(line) { return true }
      if word.lexicographicallyPrecedes(line) { high = start } else { low = end + 1 }
    }
    return false
  }
}
