// The floor: what the benchmark's operations cost at the least. It answers them over the same libuv and the same SQLite as
// the server does, and leaves out all that makes a server of it: GraphQL, tokens that are verified, limits, logs.

#include "database.h"
#include "failure.h"
#include "identifier.h"
#include "loop.h"
#include "operation.h"

#include <getopt.h>
#include <pthread.h>
#include <stdio.h>

static void *run_loop(void *loop) { loop_run(loop); }

int main(int count, char **arguments) {
  static const struct option options[] = {
      {"data", required_argument, NULL, 'd'}, {"sessions", required_argument, NULL, 's'},
      {"loops", required_argument, NULL, 'l'}, {"operations", required_argument, NULL, 'o'},
      {"port", required_argument, NULL, 'p'}, {0},
  };
  const char *data = NULL, *sessions = NULL, *operations = NULL;
  int loops = 1, port = 0;
  for (int option; (option = getopt_long(count, arguments, "", options, NULL)) != -1;) {
    switch (option) {
    case 'd': data = optarg; break;
    case 's': sessions = optarg; break;
    case 'o': operations = optarg; break;
    case 'l': loops = atoi(optarg); break;
    case 'p': port = atoi(optarg); break;
    default: return 2;
    }
  }
  if (!data || !sessions || !operations || loops < 1)
    fail("usage: floor --data DIR --sessions FILE --operations DIR [--loops N] [--port P]");

  // No account of SQLite's memory: that is a lock around every allocation.
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  char path[4096];
  snprintf(path, sizeof path, "%s/hearth.db", data);
  unsigned char key[16];
  database_read_identifier_key(path, key);
  identifier_use_key(key);
  operations_load(operations);
  sessions_load(sessions, path);
  writer_start(path);

  struct loop *all = calloc((size_t)loops, sizeof *all);
  if (!all) fail("no memory for %d loops", loops);
  for (int index = 0; index < loops; index++) port = loop_open(&all[index], path, port);
  printf("The floor is listening on http://127.0.0.1:%d/graphql\n", port);
  fflush(stdout);
  for (int index = 1; index < loops; index++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, run_loop, &all[index])) fail("cannot start a loop's thread");
  }
  loop_run(&all[0]);
}
