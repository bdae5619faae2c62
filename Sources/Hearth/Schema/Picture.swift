import Foundation
import GraphQL
import Pictures
import Storage

/// A picture in the schema: an upload, or a placeholder.
struct Picture: Sendable {
  private enum Source: Sendable {
    case placeholder(Placeholder)
    case stored(StoredPicture, key: [UInt8])
  }

  private let source: Source
  private let baseURL: String

  init(_ placeholder: Placeholder, at baseURL: String) {
    source = .placeholder(placeholder)
    self.baseURL = baseURL
  }

  init(_ picture: StoredPicture, in context: RequestContext) {
    source = .stored(picture, key: context.pictureKey)
    baseURL = context.baseURL
  }

  private func url(in box: PictureSize.Box) -> String {
    switch source {
    case .placeholder(let placeholder): return "\(baseURL)/media/\(placeholder.path)"
    case .stored(let picture, let key):
      let original = picture.address
      let size = PictureSize.of(width: picture.width, height: picture.height, format: original.format, in: box)
      return "\(baseURL)/media/\((size.map(original.scaled) ?? original).path(signedWith: key))"
    }
  }

  private static let url = FieldBinding.leaf(needs: []) { view in
    func side(_ name: String) throws(FieldError) -> Int64? {
      guard let side = view.arguments[name]?.int else { return nil }
      guard side > 0 else { throw FieldError("`\(name)` is \(side), but must be at least 1.", code: .badUserInput) }
      return side
    }
    let box = PictureSize.Box(
      width: try side("width"),
      height: try side("height"),
      fit: view.arguments["fit"]?.string.flatMap(PictureSize.Fit.init) ?? .contain
    )
    return view.value(as: Picture.self).map { .string($0.url(in: box)) } ?? .null
  }

  private var thumbHash: LeafValue {
    guard case .stored(let picture, _) = source, let bytes = picture.thumbHash else { return .null }
    return .string(Data(bytes).base64EncodedString())
  }

  private var size: (width: Int64, height: Int64) {
    switch source {
    case .placeholder: (Int64(Placeholder.size), Int64(Placeholder.size))
    case .stored(let picture, _): (picture.width, picture.height)
    }
  }

  private var contentType: String {
    switch source {
    case .placeholder: "image/svg+xml"
    case .stored(let picture, _): picture.address.format.contentType
    }
  }

  private var byteCount: Int64 {
    switch source {
    case .placeholder(let placeholder): Int64(placeholder.svg.utf8.count)
    case .stored(let picture, _): picture.byteCount
    }
  }

  private var isPlaceholder: Bool {
    if case .placeholder = source { true } else { false }
  }

  static let binding = ObjectBinding(fields: [
    "url": url,
    "width": .property { (picture: Picture) in .int(picture.size.width) },
    "height": .property { (picture: Picture) in .int(picture.size.height) },
    "contentType": .property { (picture: Picture) in .string(picture.contentType) },
    "byteCount": .property { (picture: Picture) in .int(picture.byteCount) },
    "placeholder": .property { (picture: Picture) in .boolean(picture.isPlaceholder) },
    "thumbHash": .property { (picture: Picture) in picture.thumbHash },
  ])
}

extension FieldBinding {
  /// The picture whose id is in a column, or a placeholder derived from other columns. All pictures of a batch are
  /// loaded by one statement, or none if there are only placeholders.
  static func picture<Columns: StoredColumns>(
    _ column: Columns,
    needs: [Columns] = [],
    placeholder: @escaping @Sendable (ObjectView) -> Placeholder
  ) -> FieldBinding {
    picture(column: column.rawValue, needs: needs.map(\.rawValue), placeholder: placeholder)
  }

  /// The same for stored rows.
  static func picture<Row: StoredRow>(
    _ property: KeyPath<Row, Int64?>,
    needs: [PartialKeyPath<Row>] = [],
    placeholder: @escaping @Sendable (ObjectView) -> Placeholder
  ) -> FieldBinding {
    picture(
      column: Row.column(of: property),
      needs: needs.map { Row.column(of: $0) },
      placeholder: placeholder
    )
  }

  /// The same by column indices.
  static func picture(
    column: Int,
    needs: [Int],
    placeholder: @escaping @Sendable (ObjectView) -> Placeholder
  ) -> FieldBinding {
    .load(needs: needs + [column]) { batch, context in
      let context = request(context)
      var parents: [Int] = []
      var numbers: [Int64] = []
      for parent in 0..<batch.count {
        guard let number = batch.view(parent, in: context).int(column) else { continue }
        parents.append(parent)
        numbers.append(number)
      }
      var stored: [Int: StoredPicture] = [:]
      try StoredPicture.load(numbers, from: context.reader) { index, picture in stored[parents[index]] = picture }
      for parent in 0..<batch.count {
        let picture =
          stored[parent].map { Picture($0, in: context) }
          ?? Picture(placeholder(batch.view(parent, in: context)), at: context.baseURL)
        batch.add(parent, value: picture, of: batch.resultType)
      }
    }
  }
}
