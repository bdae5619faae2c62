#include "dashboard.h"
#include "json.h"

static void append_fragment(const struct dashboard *dashboard, struct fragment fragment, struct bytes *output) {
  bytes_append(output, dashboard->fragments.start + fragment.start, fragment.count);
}

static void append_contract(const struct dashboard *dashboard, const struct member *child, struct bytes *output) {
  if (!child->has_contract) {
    bytes_literal(output, "null");
    return;
  }
  bytes_literal(output, "{\"id\":\"");
  bytes_append(output, child->contract_identifier.text, IDENTIFIER_LENGTH);
  bytes_literal(output, "\",\"maxPoints\":");
  json_integer(output, child->max_points);
  bytes_literal(output, ",\"levels\":[");
  append_fragment(dashboard, child->levels, output);
  bytes_literal(output, "]}");
}

static void append_child(const struct dashboard *dashboard, const struct member *child, struct bytes *output) {
  append_fragment(dashboard, child->face, output);
  bytes_literal(output, ",\"points\":");
  json_integer(output, child->points);
  bytes_literal(output, ",\"assignedChores\":{\"nodes\":[");
  for (size_t index = 0; index < child->chore_count; index++) {
    if (index) bytes_literal(output, ",");
    append_fragment(dashboard, dashboard->chore_fragments[child->chores[index]], output);
  }
  bytes_literal(output, "]},\"contract\":");
  append_contract(dashboard, child, output);
  bytes_literal(output, "}");
}

void dashboard_write(const struct dashboard *dashboard, struct bytes *output) {
  bytes_literal(output, "{\"data\":{\"family\":{\"id\":\"");
  bytes_append(output, dashboard->family_identifier.text, IDENTIFIER_LENGTH);
  bytes_literal(output, "\",\"name\":");
  append_fragment(dashboard, dashboard->family_name, output);
  bytes_literal(output, ",\"children\":[");
  bool is_first = true;
  for (size_t index = 0; index < dashboard->member_count; index++) {
    if (!dashboard->members[index].is_child) continue;
    if (!is_first) bytes_literal(output, ",");
    is_first = false;
    append_child(dashboard, &dashboard->members[index], output);
  }
  bytes_literal(output, "]}}}");
}
