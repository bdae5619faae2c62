extension ServerSetting {
  /// Pictures, request bodies and the disk.
  static let sizes: [ServerSetting] = [
    .number("PICTURE_BYTES", property: \.pictureBytes, in: 1024...1 << 30, "the maximum number of bytes of a picture"),
    .number("PICTURE_PIXELS", property: \.picturePixels, in: 1...1 << 40, "the maximum number of pixels of a picture"),
    .number(
      "PICTURE_CACHE_BYTES",
      property: \.pictureCacheBytes,
      in: 0...1 << 50,
      "the maximum number of bytes of all [sizes of pictures](#sizes-of-pictures) on the disk, and with PostgreSQL of all "
        + "copies of pictures; 0 serves originals only"
    ),
    .number(
      "UPLOAD_BYTES",
      property: \.uploadBytes,
      in: 1024...1 << 30,
      "the maximum number of bytes of a request with files"
    ),
    .number(
      "UPLOAD_BYTES_IN_FLIGHT",
      property: \.uploadBytesInFlight,
      in: 1024...1 << 40,
      "the maximum number of bytes of all such requests in flight"
    ),
    .number(
      "ANONYMOUS_BODY_BYTES",
      property: \.anonymousBodyBytes,
      in: 1024...1 << 20,
      "the maximum number of bytes of a body or a WebSocket message without a valid access token"
    ),
    .number(
      "BODY_BYTES_IN_FLIGHT",
      property: \.bodyBytesInFlight,
      in: 1 << 20...1 << 40,
      "the maximum number of bytes of all requests in flight, including those with files"
    ),
    .number(
      "RESPONSE_BYTES_IN_FLIGHT",
      property: \.responseBytesInFlight,
      in: 1 << 20...1 << 40,
      "the maximum number of bytes of all unsent responses"
    ),
    .number(
      "RESPONSE_CACHE_BYTES",
      property: \.responseCacheBytes,
      in: 0...1 << 40,
      "the maximum number of bytes of responses that each loop keeps and [sends again](#responses-that-are-sent-again) "
        + "while nothing that they depend on has changed; 0 keeps none"
    ),
    .number(
      "MIN_FREE_BYTES",
      property: \.minimumFreeBytes,
      in: 0...1 << 50,
      "the number of bytes that must be free on the data folder's disk for `/ready` to return 200; exports leave as "
        + "many free"
    ),
  ]
}
