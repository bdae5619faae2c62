#pragma once
#include <curl/curl.h>

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
