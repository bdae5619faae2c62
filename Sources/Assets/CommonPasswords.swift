import CAssets
import CPlayground

/// The passwords that many people have chosen: `Scripts/list-common-passwords` has made the list, which
/// Sources/CAssets/passwords holds with its licence.
package enum CommonPasswords {
  /// Whether the list has a text, which must be lower case and in NFKC.
  package static func contain(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { word in
      let file = CAssets.common_passwords()
      // The pointer is to what lives as long as the program: see CAssets.h.
      return contains(UnsafeRawBufferPointer(word), in: UnsafeRawBufferPointer(start: file.bytes, count: file.count))
    }
  }

  /// The list has one word a line, sorted by bytes: halved until the line is found.
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
