#include "operation.h"

#include "failure.h"
#include "identifier.h"
#include "instant.h"

#include <stdio.h>
#include <string.h>

/// `{"query":"` and the document and its quote: what a body begins with.
static struct {
  char start[2048];
  size_t count;
} beginnings[OPERATION_COUNT];

void operations_load(const char *directory) {
  static const char *const names[] = {"typename", "chore", "dashboard", "add-chore"};
  for (int operation = 0; operation < OPERATION_COUNT; operation++) {
    char path[4096], document[1536] = "";
    snprintf(path, sizeof path, "%s/%s.graphql", directory, names[operation]);
    FILE *file = fopen(path, "r");
    // Documents of one line without strings: nothing in them is escaped in JSON.
    if (!file || !fgets(document, sizeof document, file)) fail("cannot read %s", path);
    fclose(file);
    document[strcspn(document, "\n")] = 0;
    beginnings[operation].count = (size_t)snprintf(beginnings[operation].start, sizeof beginnings[operation].start,
                                                   "{\"query\":\"%s\"", document);
  }
}

bool operation_recognise(const char *body, size_t count, enum operation *operation, struct text *variables) {
  for (int candidate = 0; candidate < OPERATION_COUNT; candidate++) {
    size_t length = beginnings[candidate].count;
    if (count <= length || memcmp(body, beginnings[candidate].start, length)) continue;
    *operation = (enum operation)candidate;
    *variables = (struct text){body + length, count - length};
    return true;
  }
  return false;
}

/// Takes `literal` from the front of `text`.
static bool take(struct text *text, const char *literal) {
  size_t count = strlen(literal);
  if (text->count < count || memcmp(text->start, literal, count)) return false;
  text->start += count;
  text->count -= count;
  return true;
}

bool operation_read_id(struct text variables, int64_t *key) {
  if (!take(&variables, ",\"variables\":{\"id\":\"") || variables.count < IDENTIFIER_LENGTH) return false;
  return identifier_decode(variables.start, key) && variables.start[IDENTIFIER_LENGTH] == '"';
}

static bool take_string(struct text *text, struct text *string) {
  if (!take(text, "\"")) return false;
  for (size_t count = 0; count < text->count && text->start[count] != '\\'; count++) {
    if (text->start[count] != '"') continue;
    *string = (struct text){text->start, count};
    text->start += count + 1;
    text->count -= count + 1;
    return true;
  }
  return false;
}

static bool take_integer(struct text *text, int64_t *value) {
  size_t digits = 0;
  for (*value = 0; digits < text->count && digits < 18; digits++) {
    char character = text->start[digits];
    if (character < '0' || character > '9') break;
    *value = *value * 10 + (character - '0');
  }
  text->start += digits;
  text->count -= digits;
  return digits > 0;
}

bool operation_read_add_chore(struct text variables, struct add_chore_input *input) {
  struct text due_at;
  *input = (struct add_chore_input){.priority = 5};
  if (!take(&variables, ",\"variables\":{\"input\":{")) return false;
  do {
    if (take(&variables, "\"name\":")) {
      if (!take_string(&variables, &input->name)) return false;
    } else if (take(&variables, "\"priority\":")) {
      if (!take_integer(&variables, &input->priority)) return false;
    } else if (take(&variables, "\"dueAt\":")) {
      if (!take_string(&variables, &due_at)) return false;
      if (!instant_parse(due_at.start, due_at.count, &input->due_at)) return false;
      input->has_due_at = true;
    } else if (!take(&variables, "\"assigneeIds\":[]")) {
      return false;
    }
  } while (take(&variables, ","));
  return take(&variables, "}}}") && input->name.count > 0;
}
