/// A backup that was made, with its whole database, but lacks pictures that are missing or damaged in the data.
package struct IncompleteBackup: Error, CustomStringConvertible {
  let file: String
  /// One sentence for each picture.
  let faults: [String]

  package var description: String {
    let count = faults.count == 1 ? "1 picture" : "\(faults.count) pictures"
    return (faults + ["The backup \(file) was made, but lacks \(count)."]).joined(separator: "\n")
  }
}
