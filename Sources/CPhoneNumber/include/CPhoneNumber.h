// What Hearth needs of libphonenumber, as plain C.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A telephone number in the forms in which it is kept and shown. All are NUL-terminated and cut off where they do not fit.
typedef struct {
  char e164[24];
  char country_code[8];
  // The digits behind the country's code.
  char national[24];
  char extension[24];
  char international[64];
  // That the country's code stands for first, as "US" for 1.
  char region[8];
} hearth_phone_number;

/// Reads `text`, of `length` bytes of UTF-8. A number without a country's code is taken as one of `region`, as "US".
/// False where it is no number that there can be. May be called on any thread.
bool hearth_parse_phone_number(const char *text, size_t length, const char *region, hearth_phone_number *result);

/// The region that a country's calling code stands for first, as "US" for 1. False where there is none.
bool hearth_region_of_calling_code(int code, char region[4]);

/// Whether there are telephone numbers of the region, as "US".
bool hearth_is_region(const char *region);

#ifdef __cplusplus
}
#endif
