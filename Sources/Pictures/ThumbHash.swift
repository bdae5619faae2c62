import Glibc

/// A picture in some 25 bytes, from which an app draws a blurred preview before the picture is there:
/// https://evanw.github.io/thumbhash/. It has the average colour, the aspect ratio, and the lowest frequencies of
/// luminance, of two differences of colours, and of the opacity.
package struct ThumbHash: Sendable, Equatable {
  /// The longest side of a picture that a hash is made of.
  package static let maximumSide = 100

  package let bytes: [UInt8]

  /// Returns nil unless there are four bytes for each pixel and at most `maximumSide` pixels on each side.
  ///
  /// - Parameter pixels: red, green, blue and opacity of each pixel, line by line. Colours are not premultiplied.
  package init?(width: Int, height: Int, pixels: ArraySlice<UInt8>) {
    let sides = 1...Self.maximumSide
    guard sides.contains(width), sides.contains(height), pixels.count == 4 * width * height else { return nil }
    let channels = Channels(pixels)
    let longer = Double(max(width, height))
    let frequencies = channels.isTransparent ? 5.0 : 7.0
    let (across, down) = (
      max(1, Int((frequencies * Double(width) / longer).rounded())),
      max(1, Int((frequencies * Double(height) / longer).rounded()))
    )
    func transform(_ values: [Double], across: Int, down: Int) -> Frequencies {
      Frequencies(of: values, width: width, height: height, across: across, down: down)
    }
    let luminance = transform(channels.luminance, across: max(3, across), down: max(3, down))
    let yellowBlue = transform(channels.yellowBlue, across: 3, down: 3)
    let redGreen = transform(channels.redGreen, across: 3, down: 3)
    var parts = [luminance, yellowBlue, redGreen]

    var first = Self.level(luminance.average, maximum: 63)
    first |= Self.level(0.5 + 0.5 * yellowBlue.average, maximum: 63) << 6
    first |= Self.level(0.5 + 0.5 * redGreen.average, maximum: 63) << 12
    first |= Self.level(luminance.scale, maximum: 31) << 18
    first |= channels.isTransparent ? 1 << 23 : 0
    var second = UInt32(width > height ? down : across)
    second |= Self.level(yellowBlue.scale, maximum: 63) << 3
    second |= Self.level(redGreen.scale, maximum: 63) << 9
    second |= width > height ? 1 << 15 : 0
    var bytes = [0, 8, 16].map { UInt8(truncatingIfNeeded: first >> $0) }
    bytes += [0, 8].map { UInt8(truncatingIfNeeded: second >> $0) }
    if channels.isTransparent {
      let opacity = transform(channels.opacity, across: 5, down: 5)
      bytes.append(UInt8(Self.level(opacity.average, maximum: 15) | Self.level(opacity.scale, maximum: 15) << 4))
      parts.append(opacity)
    }
    // Half a byte for each, the first one in the lower half.
    let halves = parts.flatMap(\.varying).map { UInt8(Self.level($0, maximum: 15)) }
    for index in stride(from: 0, to: halves.count, by: 2) {
      bytes.append(halves[index] | (index + 1 < halves.count ? halves[index + 1] << 4 : 0))
    }
    self.bytes = bytes
  }

  /// A number from 0 to 1 as one from 0 to `maximum`.
  private static func level(_ value: Double, maximum: Double) -> UInt32 {
    UInt32(min(max((value * maximum).rounded(), 0), maximum))
  }
}

/// The pixels of a picture on top of its average colour.
private struct Channels {
  private(set) var luminance: [Double] = []
  private(set) var yellowBlue: [Double] = []
  private(set) var redGreen: [Double] = []
  private(set) var opacity: [Double] = []
  let isTransparent: Bool

  init(_ pixels: ArraySlice<UInt8>) {
    let values = pixels.map { Double($0) / 255 }
    var (red, green, blue, opaque) = (0.0, 0.0, 0.0, 0.0)
    for index in stride(from: 0, to: values.count, by: 4) {
      let alpha = values[index + 3]
      red += alpha * values[index]
      green += alpha * values[index + 1]
      blue += alpha * values[index + 2]
      opaque += alpha
    }
    if opaque > 0 { (red, green, blue) = (red / opaque, green / opaque, blue / opaque) }
    isTransparent = pixels.indices.contains { ($0 - pixels.startIndex) % 4 == 3 && pixels[$0] < 255 }
    for index in stride(from: 0, to: values.count, by: 4) {
      let alpha = values[index + 3]
      let r = red * (1 - alpha) + alpha * values[index]
      let g = green * (1 - alpha) + alpha * values[index + 1]
      let b = blue * (1 - alpha) + alpha * values[index + 2]
      luminance.append((r + g + b) / 3)
      yellowBlue.append((r + g) / 2 - b)
      redGreen.append(r - g)
      opacity.append(alpha)
    }
  }
}

/// The lowest frequencies of a channel: the coefficients of a discrete cosine transform whose index is in the triangle
/// of `across` by `down`.
private struct Frequencies {
  let average: Double
  /// The largest of the others.
  let scale: Double
  /// The others relative to the largest, from 0 to 1.
  let varying: [Double]

  init(of channel: [Double], width: Int, height: Int, across: Int, down: Int) {
    let columns = Self.cosines(width, count: across)
    let lines = Self.cosines(height, count: down)
    var found: [Double] = []
    for y in 0..<down {
      for x in 0..<across where x * down < across * (down - y) {
        var sum = 0.0
        for line in 0..<height {
          var part = 0.0
          for column in 0..<width { part += channel[line * width + column] * columns[x * width + column] }
          sum += part * lines[y * height + line]
        }
        found.append(sum / Double(width * height))
      }
    }
    average = found[0]
    let others = found.dropFirst()
    let largest = others.map(abs).max() ?? 0
    scale = largest
    varying = others.map { largest > 0 ? 0.5 + 0.5 / largest * $0 : 0 }
  }

  /// The cosine waves of each frequency over `length` pixels.
  private static func cosines(_ length: Int, count: Int) -> [Double] {
    (0..<count).flatMap { frequency in
      (0..<length).map { cos(Double.pi / Double(length) * Double(frequency) * (Double($0) + 0.5)) }
    }
  }
}
