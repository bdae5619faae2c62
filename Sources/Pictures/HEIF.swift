/// HEIC: an HEVC picture in a HEIF file (ISO/IEC 23008-12), which consists of boxes (ISO/IEC 14496-12).
struct HEIF {
  private let bytes: PictureBytes
  private var primaryItem: Int?
  /// The types of items: `hvc1`, `grid`, `Exif`, `mime`.
  private var exifItems: Set<Int> = []
  private var xmpItems: Set<Int> = []
  private var items: [HEIFItemLocation] = []
  private var itemData: Range<Int>?
  /// The contents of the `mdat` boxes.
  private var mediaData: [Range<Int>] = []
  private static let maximumMediaData = 64
  private var properties: [HEIFProperty] = []
  /// The associations of items with properties.
  private var associations: HEIFBox?

  static func read(_ bytes: PictureBytes, into content: inout PictureContent) throws(PictureFault) {
    var heif = HEIF(bytes: bytes)
    try heif.readFile(into: &content)
    try heif.findSize(into: &content)
    try heif.findPosition(into: &content)
  }

  private init(bytes: PictureBytes) { self.bytes = bytes }

  // MARK: Boxes

  private mutating func readFile(into content: inout PictureContent) throws(PictureFault) {
    var hasMetadata = false
    for box in try HEIFBox.all(in: bytes.range, of: bytes) {
      switch box.type {
      case "ftyp": try checkBrands(box.body)
      case "meta":
        guard !hasMetadata else { throw .damaged }
        hasMetadata = true
        try readMetadata(try box.afterVersion())
      case "mdat":
        mediaData.append(box.body)
        guard mediaData.count <= Self.maximumMediaData else { throw .damaged }
      case "free", "skip": break
      default:
        // A video of the moments before the picture, or private data of a vendor: it can contain a position.
        content.edits.append(.replace(at: box.start + 4, with: Array("free".utf8)))
        content.blank(box.body)
      }
    }
    guard hasMetadata else { throw .damaged }
  }

  private func checkBrands(_ body: Range<Int>) throws(PictureFault) {
    for index in stride(from: body.lowerBound, to: body.upperBound - 3, by: 4) {
      for brand in ["heic", "heix", "heim", "heis"] as [StaticString] where bytes.has(brand, at: index) { return }
    }
    throw .unknownFormat
  }

  private mutating func readMetadata(_ body: Range<Int>) throws(PictureFault) {
    for box in try HEIFBox.all(in: body, of: bytes) {
      switch box.type {
      case "pitm":
        primaryItem = try bytes.number(at: box.body.lowerBound + 4, bytes: try box.version() == 0 ? 2 : 4)
      case "iinf": try readItemInformation(box)
      case "iloc": items = try HEIFItemLocation.all(in: box, of: bytes)
      case "idat": itemData = box.body
      case "iprp": try readProperties(box.body)
      default: break
      }
    }
  }

  private mutating func readItemInformation(_ box: HEIFBox) throws(PictureFault) {
    let count = try box.version() == 0 ? 2 : 4
    let entries = box.body.lowerBound + 4 + count
    guard entries <= box.body.upperBound else { throw .damaged }
    for entry in try HEIFBox.all(in: entries..<box.body.upperBound, of: bytes) where entry.type == "infe" {
      let version = try entry.version()
      guard version >= 2 else { continue }
      let size = version == 2 ? 2 : 4
      let item = try bytes.number(at: entry.body.lowerBound + 4, bytes: size)
      let type = entry.body.lowerBound + 4 + size + 2
      if bytes.has("Exif", at: type) { exifItems.insert(item) }
      // XMP or other text.
      if bytes.has("mime", at: type) { xmpItems.insert(item) }
    }
  }

  private mutating func readProperties(_ body: Range<Int>) throws(PictureFault) {
    for box in try HEIFBox.all(in: body, of: bytes) {
      if box.type == "ipco" {
        for property in try HEIFBox.all(in: box.body, of: bytes) {
          properties.append(try HEIFProperty(property, of: bytes))
        }
      } else if box.type == "ipma" {
        associations = box
      }
    }
  }

  /// The numbers of an item's properties, starting at 1.
  private func properties(of wanted: Int) throws(PictureFault) -> [Int] {
    guard let box = associations else { return [] }
    var found: [Int] = []
    let (version, flags) = (try box.version(), try box.flags())
    let count = try bytes.number(at: box.body.lowerBound + 4, bytes: 4)
    var at = box.body.lowerBound + 8
    for _ in 0..<count {
      let size = version < 1 ? 2 : 4
      let item = try bytes.number(at: at, bytes: size)
      let associations = Int(try bytes.byte(at: at + size))
      at += size + 1
      for _ in 0..<associations {
        let width = flags & 1 == 1 ? 2 : 1
        // The highest bit marks essential properties.
        let property = try bytes.number(at: at, bytes: width) & (width == 2 ? 0x7FFF : 0x7F)
        at += width
        if item == wanted { found.append(property) }
      }
      guard at <= box.body.upperBound else { throw .damaged }
    }
    return found
  }

  // MARK: What they say together

  private func findSize(into content: inout PictureContent) throws(PictureFault) {
    guard let primaryItem, items.contains(where: { $0.item == primaryItem && !$0.extents.isEmpty }) else {
      throw .damaged
    }
    var aperture: (width: Int, height: Int)?
    // The number 0 means no property.
    for number in try properties(of: primaryItem) where number > 0 {
      guard number <= properties.count else { throw .damaged }
      switch properties[number - 1] {
      case .size(let width, let height): (content.width, content.height) = (width, height)
      case .rotation(let quarters): content.isOnItsSide = quarters % 2 == 1
      case .aperture(let width, let height): aperture = (width, height)
      case .other: break
      }
    }
    if let aperture {
      (content.width, content.height) = (min(content.width, aperture.width), min(content.height, aperture.height))
    }
  }

  /// The kind and the extents of EXIF or XMP metadata. Several images of a file can share it.
  private struct Metadata: Hashable {
    let isExif: Bool
    let extents: [Range<Int>]
  }

  private func findPosition(into content: inout PictureContent) throws(PictureFault) {
    let isOnItsSide = content.isOnItsSide
    var metadata: [Metadata] = []
    var seen: Set<Metadata> = []
    for item in items {
      var extents: [Range<Int>] = []
      for (offset, length) in item.extents {
        // All parts of the picture must be present; otherwise it is truncated.
        guard let extent = try range(at: offset, count: length, of: item) else { continue }
        extents.append(extent)
      }
      guard exifItems.contains(item.item) || xmpItems.contains(item.item) else { continue }
      // Only media data can be blanked, not the structure that refers to it.
      for extent in extents where !isData(extent) { throw .damaged }
      let found = Metadata(isExif: exifItems.contains(item.item), extents: extents)
      if seen.insert(found).inserted { metadata.append(found) }
    }
    try Self.requireDisjoint(metadata.flatMap(\.extents))
    for item in metadata {
      if item.isExif {
        try readExif(item.extents, into: &content)
      } else {
        XMP.read(item.extents, of: bytes, into: &content)
      }
    }
    // HEIF has its own orientation property, which overrides that of EXIF.
    content.isOnItsSide = isOnItsSide
  }

  private func readExif(_ extents: [Range<Int>], into content: inout PictureContent) throws(PictureFault) {
    guard extents.count == 1, let extent = extents.first, extent.count >= 4 else {
      for extent in extents { content.blank(extent) }
      return
    }
    // It is preceded by the offset of the TIFF header.
    let skipped = 4 + (try bytes.number(at: extent.lowerBound, bytes: 4))
    let start = skipped <= extent.count ? extent.lowerBound + skipped : extent.lowerBound + 4
    Exif.read(start..<extent.upperBound, of: bytes, into: &content)
  }

  /// Metadata items must not overlap. If they did, blanking one would change another, and a small malicious picture
  /// could cost hours.
  private static func requireDisjoint(_ ranges: [Range<Int>]) throws(PictureFault) {
    var end = 0
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      guard range.lowerBound >= end else { throw .damaged }
      end = range.upperBound
    }
  }

  private func isData(_ range: Range<Int>) -> Bool {
    (mediaData + (itemData.map { [$0] } ?? [])).contains { data in
      range.lowerBound >= data.lowerBound && range.upperBound <= data.upperBound
    }
  }

  /// Nil for an item derived from other items.
  private func range(at offset: Int, count length: Int, of item: HEIFItemLocation) throws(PictureFault) -> Range<Int>? {
    switch item.method {
    case 0: return try bytes.range(at: offset, count: length)
    case 1:
      guard let itemData, offset <= itemData.count, length <= itemData.count - offset else { throw .damaged }
      return try bytes.range(at: itemData.lowerBound + offset, count: length)
    default: return nil
    }
  }
}
