import CAssets
import CPlayground

/// A picture of the demo data, as PNG. `Scripts/draw-demonstration-pictures` has drawn it.
package enum DemonstrationPicture: String, CaseIterable, Sendable {
  case ada, bicycle, browning, cat, mia, plant, tent

  /// Empty where CAssets.c has no such file, which a test would tell.
  package var bytes: [UInt8] {
    for place in 0..<demonstration_picture_count {
      let file = CAssets.demonstration_picture(place)
      // The pointers are to what lives as long as the program: see CAssets.h.
      if String(cString: file.path) == rawValue {
        return Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
      }
    }
    return []
  }
}
