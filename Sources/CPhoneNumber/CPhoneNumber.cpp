#include "CPhoneNumber.h"

#include <cstring>
#include <string>

#include <phonenumbers/phonenumber.pb.h>
#include <phonenumbers/phonenumberutil.h>

using i18n::phonenumbers::PhoneNumber;
using i18n::phonenumbers::PhoneNumberUtil;

namespace {

template <size_t N>
void copy(const std::string &text, char (&place)[N]) {
  const size_t length = text.size() < N ? text.size() : N - 1;
  std::memcpy(place, text.data(), length);
  place[length] = 0;
}

}  // namespace

bool hearth_parse_phone_number(const char *text, size_t length, const char *region, hearth_phone_number *result) {
  // C++ exceptions must not reach Swift.
  try {
    const PhoneNumberUtil &util = *PhoneNumberUtil::GetInstance();
    PhoneNumber number;
    if (util.Parse(std::string(text, length), region, &number) != PhoneNumberUtil::NO_PARSING_ERROR) return false;
    // Does not check whether the number is assigned: new ranges are assigned all the time, and the library is as old as the system.
    if (!util.IsPossibleNumber(number)) return false;
    std::string form;
    copy(number.extension(), result->extension);
    copy(std::to_string(number.country_code()), result->country_code);
    util.GetNationalSignificantNumber(number, &form);
    copy(form, result->national);
    util.Format(number, PhoneNumberUtil::E164, &form);
    copy(form, result->e164);
    util.Format(number, PhoneNumberUtil::INTERNATIONAL, &form);
    copy(form, result->international);
    util.GetRegionCodeForCountryCode(number.country_code(), &form);
    copy(form, result->region);
    return true;
  } catch (...) {
    return false;
  }
}

bool hearth_region_of_calling_code(int code, char region[4]) {
  try {
    std::string name;
    PhoneNumberUtil::GetInstance()->GetRegionCodeForCountryCode(code, &name);
    if (name.size() != 2 || name == "ZZ") return false;
    std::memcpy(region, name.c_str(), 3);
    return true;
  } catch (...) {
    return false;
  }
}

bool hearth_is_region(const char *region) {
  try {
    return PhoneNumberUtil::GetInstance()->GetCountryCodeForRegion(region) != 0;
  } catch (...) {
    return false;
  }
}
