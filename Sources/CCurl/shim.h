#pragma once
#include <curl/curl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

/* Swift does not import variadic C functions: these wrap the calls of `curl_easy_setopt` and `curl_easy_getinfo` in use. */

static inline CURLcode ccurl_set_number(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_reader(CURL *handle, curl_read_callback read, void *source) {
  CURLcode result = curl_easy_setopt(handle, CURLOPT_READFUNCTION, read);
  return result != CURLE_OK ? result : curl_easy_setopt(handle, CURLOPT_READDATA, source);
}

static inline CURLcode ccurl_set_progress(CURL *handle, curl_xferinfo_callback progress, void *watcher) {
  CURLcode result = curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, progress);
  return result != CURLE_OK ? result : curl_easy_setopt(handle, CURLOPT_XFERINFODATA, watcher);
}

/* Reports what is sent and received. Nothing is printed. */
static inline CURLcode ccurl_set_observer(CURL *handle, curl_debug_callback observe, void *observer) {
  CURLcode result = curl_easy_setopt(handle, CURLOPT_DEBUGFUNCTION, observe);
  if (result == CURLE_OK) result = curl_easy_setopt(handle, CURLOPT_DEBUGDATA, observer);
  return result != CURLE_OK ? result : curl_easy_setopt(handle, CURLOPT_VERBOSE, 1L);
}

static inline long ccurl_response_code(CURL *handle) {
  long code = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &code);
  return code;
}

static inline CURLcode ccurl_set_writer(CURL *handle, curl_write_callback write, void *target) {
  CURLcode result = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, write);
  return result != CURLE_OK ? result : curl_easy_setopt(handle, CURLOPT_WRITEDATA, target);
}

static inline CURLcode ccurl_set_header_writer(CURL *handle, curl_write_callback write, void *target) {
  CURLcode result = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, write);
  return result != CURLE_OK ? result : curl_easy_setopt(handle, CURLOPT_HEADERDATA, target);
}

/* Sends `count` bytes by POST. They are not copied, so they must outlive the transfer. */
static inline CURLcode ccurl_set_body(CURL *handle, const void *bytes, long count) {
  CURLcode result = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE, count);
  return result != CURLE_OK ? result : curl_easy_setopt(handle, CURLOPT_POSTFIELDS, bytes);
}

/* Whether an address is that of a host on the internet: neither loopback, private, link-local, shared, multicast,
 * documentation nor an embedded IPv4 address (RFC 6890). */
static inline int ccurl_is_public(const struct sockaddr *address) {
  if (address->sa_family == AF_INET) {
    struct sockaddr_in v4;
    memcpy(&v4, address, sizeof v4);
    unsigned int host = ntohl(v4.sin_addr.s_addr);
    static const unsigned int blocks[][2] = {
        {0x00000000, 8},  {0x0A000000, 8},  {0x64400000, 10}, {0x7F000000, 8},  {0xA9FE0000, 16},
        {0xAC100000, 12}, {0xC0000000, 24}, {0xC0000200, 24}, {0xC0586300, 24}, {0xC0A80000, 16},
        {0xC6120000, 15}, {0xC6336400, 24}, {0xCB007100, 24}, {0xE0000000, 4},  {0xF0000000, 4},
    };
    for (unsigned int i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
      if ((host ^ blocks[i][0]) >> (32 - blocks[i][1]) == 0) return 0;
    }
    return 1;
  }
  if (address->sa_family == AF_INET6) {
    struct sockaddr_in6 v6;
    memcpy(&v6, address, sizeof v6);
    const unsigned char *host = v6.sin6_addr.s6_addr;
    if ((host[0] & 0xE0) != 0x20) return 0;
    if (host[0] == 0x20 && host[1] == 0x02) return 0;
    if (host[0] == 0x20 && host[1] == 0x01 && host[2] == 0x00 && host[3] == 0x00) return 0;
    return !(host[0] == 0x20 && host[1] == 0x01 && host[2] == 0x0D && host[3] == 0xB8);
  }
  return 0;
}

static inline curl_socket_t ccurl_open_public(void *unused, curlsocktype purpose, struct curl_sockaddr *address) {
  (void)unused;
  (void)purpose;
  if (!ccurl_is_public(&address->addr)) return CURL_SOCKET_BAD;
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/* Connects to public addresses only, whatever a name resolves to when the connection is made. */
static inline CURLcode ccurl_require_public_address(CURL *handle) {
  return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, ccurl_open_public);
}
