/// The keys of a server, made from the secrets in its database.
struct ServerKeys: Sendable {
  let cipher: IdentifierCipher
  /// For values that are derived from a secret of the data folder and may be public.
  let identifier: [UInt8]
  let refreshToken: RefreshToken.Key
  let push: PushKey
  /// For the URLs of pictures.
  let media: [UInt8]
  let tokens: AccessTokens

  /// Reads the secrets, and creates missing ones.
  init(of data: ServerData, _ configuration: Configuration) async throws {
    let secrets = try await Secrets.load(from: data.database)
    if configuration.databaseURL != nil { try PostgreSQLFolderMark.note(secrets.mediaKey, in: data.directory) }
    guard let cipher = IdentifierCipher(secret: secrets.identifierKey) else { throw Secrets.Unusable() }
    self.cipher = cipher
    identifier = secrets.identifierKey
    refreshToken = RefreshToken.Key(secrets.refreshTokenKey)
    push = try PushKey(secrets.pushKey)
    media = secrets.mediaKey
    tokens = await AccessTokens(secrets.tokenKeys, cipher: cipher, lifetime: configuration.accessTokenLifetime)
  }
}
