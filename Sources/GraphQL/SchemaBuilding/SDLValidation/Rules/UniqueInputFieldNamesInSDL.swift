/// An input object in a default value or in an argument of an applied directive provides each field at most once
/// (specification, section 5.6.3).
enum UniqueInputFieldNamesInSDL {
  static func check(_ validation: inout SDLValidation) {
    let document = validation.document
    for definition in validation.definitions {
      for object in definition..<Int(document[definition].subtreeEnd) where document[object].kind == .objectValue {
        for group in validation.grouped(document.children(of: object)) {
          let name = document.name(group[0])
          for repeated in group.dropFirst() {
            validation.report(
              at: validation.name(at: group[0]),
              validation.name(at: repeated),
              message: "There can be only one input field named \"\(name)\"."
            )
          }
        }
      }
    }
  }
}
