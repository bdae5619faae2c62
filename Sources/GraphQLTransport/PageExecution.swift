/// Executes a request of a page of the server's own: a JSON body as at the endpoint, and an access token if the
/// operation requires one. Returns the response as JSON.
package typealias PageExecution = (_ body: [UInt8], _ accessToken: String?) async -> [UInt8]
