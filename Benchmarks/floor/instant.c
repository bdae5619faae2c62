#include "instant.h"

#include <time.h>

static char *write_two(char *at, unsigned value) {
  at[0] = (char)('0' + value / 10);
  at[1] = (char)('0' + value % 10);
  return at + 2;
}

// Days to a date and back without a calendar: years begin in March, eras have 400 of them
// (https://howardhinnant.github.io/date_algorithms.html).

void instant_append(struct bytes *output, int64_t milliseconds) {
  int64_t seconds = milliseconds / 1000, days = seconds / 86400;
  int millisecond = (int)(milliseconds % 1000), second = (int)(seconds % 86400);
  if (millisecond < 0) millisecond += 1000, second -= 1;
  if (second < 0) second += 86400, days -= 1;
  int64_t shifted = days + 719468;
  int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  unsigned day_of_era = (unsigned)(shifted - era * 146097);
  unsigned year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  unsigned day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  unsigned shifted_month = (5 * day_of_year + 2) / 153;
  unsigned day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
  unsigned month = shifted_month < 10 ? shifted_month + 3 : shifted_month - 9;
  unsigned year = (unsigned)(era * 400 + year_of_era) + (month <= 2);

  char *start = bytes_reserve(output, 32), *at = start;
  *at++ = '"';
  at = write_two(at, year / 100 % 100);
  at = write_two(at, year % 100);
  *at++ = '-';
  at = write_two(at, month);
  *at++ = '-';
  at = write_two(at, day);
  *at++ = 'T';
  at = write_two(at, (unsigned)second / 3600);
  *at++ = ':';
  at = write_two(at, (unsigned)second / 60 % 60);
  *at++ = ':';
  at = write_two(at, (unsigned)second % 60);
  if (millisecond) {
    *at++ = '.';
    *at++ = (char)('0' + millisecond / 100);
    at = write_two(at, (unsigned)millisecond % 100);
  }
  *at++ = 'Z';
  *at++ = '"';
  output->count += (size_t)(at - start);
}

bool instant_parse(const char *text, size_t count, int64_t *milliseconds) {
  static const char form[] = "dddd-dd-ddTdd:dd:ddZ";
  if (count != sizeof form - 1) return false;
  int numbers[6] = {0}, number = 0;
  for (size_t index = 0; index < count; index++) {
    char character = text[index];
    if (form[index] == 'd') {
      if (character < '0' || character > '9') return false;
      numbers[number] = numbers[number] * 10 + (character - '0');
    } else {
      if (character != form[index]) return false;
      number++;
    }
  }
  int month = numbers[1], day = numbers[2];
  if (month < 1 || month > 12 || day < 1 || day > 31) return false;
  int year = numbers[0] - (month <= 2), era = year / 400, year_of_era = year % 400;
  int day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  int64_t days = (int64_t)era * 146097 + day_of_era - 719468;
  *milliseconds = (((days * 24 + numbers[3]) * 60 + numbers[4]) * 60 + numbers[5]) * 1000;
  return true;
}

int64_t instant_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
