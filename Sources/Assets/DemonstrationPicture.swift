import CAssets
import CPlayground

/// A picture of the demo data, as PNG. Created by `Scripts/draw-demonstration-pictures`.
package enum DemonstrationPicture: String, CaseIterable, Sendable {
  case ada, bicycle, browning, cat, mia, plant, tent

  /// Empty if CAssets.c lacks the file, which a test detects.
  package var bytes: [UInt8] {
    for index in 0..<demonstration_picture_count {
      let file = CAssets.demonstration_picture(index)
      // The pointers are valid for the life of the process: see CAssets.h.
      if String(cString: file.path) == rawValue {
        return Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
      }
    }
    return []
  }
}
