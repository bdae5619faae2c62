/// An enumeration whose cases bear the names of types of the schema, which begin with a capital letter.
protocol SchemaNamed {}

extension SchemaNamed {
  /// The name of the type in the schema. It is made each time: code that runs often uses `KindTypes`.
  var typeName: String {
    let name = "\(self)"
    return name.prefix(1).uppercased() + name.dropFirst()
  }
}

extension Kind: SchemaNamed {}
