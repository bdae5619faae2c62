import CLibUV

/// The version of libuv that the process runs on, as "1.44.2".
package var libuvVersion: String { String(cString: uv_version_string()) }
