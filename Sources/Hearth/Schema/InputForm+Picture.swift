import EventLoop
import GraphQL
import GraphQLTransport

extension InputForm {
  /// Returns the change of an uploaded picture. The picture is counted, examined off the loop, and not stored yet.
  mutating func picture(_ field: String, in context: RequestContext) async throws -> PictureChange {
    guard gives(field) else { return .unchanged }
    guard let index = self[field]?.upload, context.files.indices.contains(index) else { return .removed }
    let content = context.files[index].content
    // One that is too large is rejected below.
    let (bytes, unit) = (min(content.count, context.configuration.pictureBytes), LimitedAction.unitOfUploads)
    let count = Int64(max((bytes + unit - 1) / unit, 1))
    try await context.take(.upload, count: count, by: context.viewer.map { .family($0.family) })
    do {
      let pictures = context.services.pictures
      return .chosen(try await pictures.examine(content, for: context.viewer?.family))
    } catch let rejection as ExaminedPicture.Rejection {
      reject(field, because: rejection, limits: context.configuration)
      return .unchanged
    } catch is WorkerPool.Overloaded {
      throw FieldError("Too many pictures are being processed: try again in a few seconds.", code: .overloaded)
    }
  }

  private mutating func reject(_ field: String, because rejection: ExaminedPicture.Rejection, limits: Configuration) {
    switch rejection {
    case .tooManyBytes:
      reject(
        field,
        code: .tooLarge,
        reason: .pictureBytes,
        message: "A picture can have at most \(maximum: limits.pictureBytes) bytes."
      )
    case .tooManyPixels:
      reject(
        field,
        code: .tooLarge,
        reason: .picturePixels,
        message: "A picture can have at most \(maximum: limits.picturePixels) pixels."
      )
    case .unknownFormat:
      reject(field, code: .unsupportedMedia, message: "A picture must be a JPEG, PNG, WebP or HEIC file.")
    case .damaged:
      reject(
        field,
        code: .unsupportedMedia,
        reason: .pictureDamaged,
        message: "This picture is damaged or incomplete."
      )
    }
  }
}
