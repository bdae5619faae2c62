/// A backup that was made, but lacks pictures that are missing or damaged in the data, or whose database is as damaged
/// as that of the data.
package struct IncompleteBackup: Error, CustomStringConvertible {
  let file: String
  /// One sentence for each of the first damaged pages of the database, and one if its last commits are lost.
  let damage: [String]
  /// One sentence for each picture.
  let faults: [String]

  package var description: String {
    var shortcomings: [String] = []
    if !damage.isEmpty { shortcomings.append("its database is damaged or incomplete, like that of the data") }
    if !faults.isEmpty { shortcomings.append("lacks \(faults.count == 1 ? "1 picture" : "\(faults.count) pictures")") }
    let sentence = "The backup \(file) was made, but \(shortcomings.joined(separator: ", and it "))."
    return (damage + faults + [sentence]).joined(separator: "\n")
  }
}
