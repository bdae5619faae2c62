#pragma once
#include <spawn.h>

/* The actions of posix_spawn(3) that the C library declares only with _GNU_SOURCE, without which Swift imports it. Each
 * function returns 0 or an error number. */

/* Starts the program in a folder. */
int spawn_actions_add_folder(posix_spawn_file_actions_t *actions, const char *folder);

/* Closes all descriptors of the program from this one on. */
int spawn_actions_add_close_from(posix_spawn_file_actions_t *actions, int first);
