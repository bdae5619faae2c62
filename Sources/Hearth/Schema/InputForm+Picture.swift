import EventLoop
import GraphQL
import GraphQLTransport

extension InputForm {
  /// Returns the change of an uploaded picture. The picture is examined off the loop, and is not stored yet.
  mutating func picture(_ field: String, _ context: RequestContext) async throws -> PictureChange {
    guard gives(field) else { return .unchanged }
    guard let place = self[field]?.upload, context.files.indices.contains(place) else { return .removed }
    do {
      return .chosen(try await context.services.pictures.examine(context.files[place].content))
    } catch let refusal as ExaminedPicture.Refusal {
      refuse(field, refusal, context.services.configuration)
      return .unchanged
    } catch is WorkerPool.Overloaded {
      throw FieldError("Too many pictures are being processed: try again in a few seconds.", code: .overloaded)
    }
  }

  private mutating func refuse(_ field: String, _ refusal: ExaminedPicture.Refusal, _ limits: Configuration) {
    switch refusal {
    case .tooManyBytes:
      refuse(field, code: .tooLarge, "A picture can have at most \(limits.pictureBytes) bytes.")
    case .tooManyPixels:
      refuse(field, code: .tooLarge, "A picture can have at most \(limits.picturePixels) pixels.")
    case .unknownFormat:
      refuse(field, code: .unsupportedMedia, "A picture must be a JPEG, PNG, WebP or HEIC file.")
    case .damaged:
      refuse(field, code: .unsupportedMedia, "This picture is damaged or incomplete.")
    }
  }
}
