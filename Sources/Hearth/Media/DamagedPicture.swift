/// The bytes of a picture do not match its hash.
struct DamagedPicture: Error, CustomStringConvertible {
  let description: String
}
