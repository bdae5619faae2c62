/// The types of PostgreSQL that parameters and columns have. The raw values are the server's object identifiers, which
/// never change (`pg_type.dat`).
package enum ServerType: UInt32, Sendable {
  case bool = 16
  case bytea = 17
  case int8 = 20
  case int2 = 21
  case int4 = 23
  case text = 25
  case float4 = 700
  case float8 = 701
  case byteaArray = 1001
  case textArray = 1009
  case int8Array = 1016
}
