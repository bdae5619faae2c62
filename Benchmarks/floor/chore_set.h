#ifndef FLOOR_CHORE_SET_H
#define FLOOR_CHORE_SET_H

#include <stdint.h>

/// Most members that a family may have here, since a set of them is a word; and the chores that are shown of each.
enum { MEMBERS = 64, CHORES_PER_MEMBER = 50, CHORES = MEMBERS * CHORES_PER_MEMBER };

enum { CHORE_SLOTS = 2 * 4096 };

/// The different chores of an answer, in the order in which they were met, each with the set of its assignees.
struct chore_set {
  int count;
  int64_t keys[CHORES];
  uint64_t assignees[CHORES];
  /// A hash table from key to position. A slot counts only if it was filled in this round: so it need not be cleared.
  uint32_t round;
  struct chore_slot {
    uint32_t round;
    uint32_t position;
  } slots[CHORE_SLOTS];
};

static inline void chore_set_clear(struct chore_set *set) {
  set->count = 0;
  set->round++;
}

static inline struct chore_slot *chore_set_slot(struct chore_set *set, int64_t key) {
  uint64_t at = (uint64_t)key * 0x9E3779B97F4A7C15ull >> 51;
  struct chore_slot *slot = &set->slots[at];
  while (slot->round == set->round && set->keys[slot->position] != key) slot = &set->slots[++at % CHORE_SLOTS];
  return slot;
}

/// The position of a chore, or -1.
static inline int chore_set_find(struct chore_set *set, int64_t key) {
  struct chore_slot *slot = chore_set_slot(set, key);
  return slot->round == set->round ? (int)slot->position : -1;
}

static inline int chore_set_add(struct chore_set *set, int64_t key) {
  struct chore_slot *slot = chore_set_slot(set, key);
  if (slot->round == set->round) return (int)slot->position;
  *slot = (struct chore_slot){set->round, (uint32_t)set->count};
  set->keys[set->count] = key;
  set->assignees[set->count] = 0;
  return set->count++;
}

#endif
