// The functions of libphonenumber that Hearth uses, with a C interface.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A telephone number in its stored and displayed formats. All are NUL-terminated, and truncated if they do not fit.
typedef struct {
  char e164[24];
  char country_code[8];
  // The digits after the country code.
  char national[24];
  char extension[24];
  char international[64];
  // The main region of the country code, such as "US" for 1.
  char region[8];
} hearth_phone_number;

/// Parses `text`, `length` bytes of UTF-8. A number without a country code is interpreted as one of `region`, such as "US".
/// Returns false if it is not a possible number. Can be called on any thread.
bool hearth_parse_phone_number(const char *text, size_t length, const char *region, hearth_phone_number *result);

/// The main region of a country calling code, such as "US" for 1. Returns false if there is none.
bool hearth_region_of_calling_code(int code, char region[4]);

/// Whether a region, such as "US", has telephone numbers.
bool hearth_is_region(const char *region);

#ifdef __cplusplus
}
#endif
