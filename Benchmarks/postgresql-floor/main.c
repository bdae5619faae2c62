// The floor of dashboards from PostgreSQL: reads them by hand over libpq, and measures what this and the server's
// processes take. It has no HTTP and no GraphQL, and assembles roughly the same text.
//
//     postgresql-floor levels|json SECONDS CONNECTIONS FAMILIES
//
// HEARTH_DATABASE_URL names the database, on this machine. Dashboards are of the first FAMILIES families, at random. The
// output is JSON, with microseconds of processor time per dashboard.

#include "dashboard.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { CONNECTIONS = 16, FAMILIES = 4096 };

static int64_t families[FAMILIES], sessions[FAMILIES];
static struct dashboard dashboards[CONNECTIONS];

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double client_cpu(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/// The seconds that the processes of the connections have run.
static double server_cpu(int connections) {
  double total = 0;
  for (int index = 0; index < connections; index++) {
    char path[64];
    unsigned long long nanoseconds;
    snprintf(path, sizeof path, "/proc/%d/schedstat", PQbackendPID(dashboards[index].pipeline.connection));
    FILE *file = fopen(path, "r");
    if (!file || fscanf(file, "%llu", &nanoseconds) != 1) fail("cannot read %s", path);
    fclose(file);
    total += (double)nanoseconds / 1e9;
  }
  return total;
}

/// The keys of the first families, each with a session of its parent.
static int load_families(const char *url, int most) {
  PGconn *connection = PQconnectdb(url);
  if (PQstatus(connection) != CONNECTION_OK) fail("%s", PQerrorMessage(connection));
  PGresult *rows = PQexec(connection, "SELECT f.id, coalesce((SELECT max(s.id) FROM session AS s WHERE s.family_id = f.id"
                                      "), 0) FROM family AS f ORDER BY f.id");
  if (PQresultStatus(rows) != PGRES_TUPLES_OK) fail("%s", PQerrorMessage(connection));
  int count = PQntuples(rows) < most ? PQntuples(rows) : most;
  for (int row = 0; row < count; row++) {
    families[row] = atoll(PQgetvalue(rows, row, 0));
    sessions[row] = atoll(PQgetvalue(rows, row, 1));
  }
  PQclear(rows);
  PQfinish(connection);
  return count;
}

static size_t occurrences(const char *text, const char *word) {
  size_t count = 0;
  for (const char *found = text; (found = strstr(found, word)); found++) count++;
  return count;
}

int main(int count, char **arguments) {
  const char *url = getenv("HEARTH_DATABASE_URL");
  if (count != 5 || !url) fail("usage: postgresql-floor levels|json SECONDS CONNECTIONS FAMILIES");
  bool is_json = !strcmp(arguments[1], "json");
  double seconds = atof(arguments[2]);
  int connections = atoi(arguments[3]), most = atoi(arguments[4]);
  if (connections < 1 || connections > CONNECTIONS || most < 1 || most > FAMILIES) fail("too many, or too few");
  int family_count = load_families(url, most);
  if (!family_count) fail("the database is empty");

  struct pollfd polled[CONNECTIONS];
  for (int index = 0; index < connections; index++) {
    dashboard_open(&dashboards[index], url);
    polled[index] = (struct pollfd){PQsocket(dashboards[index].pipeline.connection), POLLIN, 0};
  }
  srandom(1);
  double began = 0, client_before = 0, server_before = 0;
  size_t done = 0, objects = 0;
  bool is_measured = false, is_over = false;
  double start = now();
  for (int index = 0; index < connections; index++) dashboards[index].level = -1;
  while (!is_over) {
    for (int index = 0; index < connections; index++) {
      struct dashboard *dashboard = &dashboards[index];
      if (dashboard->level >= 0) {
        if (!polled[index].revents || !dashboard_advance(dashboard)) continue;
        done++;
        objects += is_json ? occurrences(dashboard->text, "\"id\"") : dashboard->objects;
      }
      long family = random() % family_count;
      if (is_json)
        dashboard_begin_json(dashboard, families[family]);
      else
        dashboard_begin_levels(dashboard, families[family], sessions[family]);
    }
    double time = now();
    // The first half second is a warm-up.
    if (!is_measured && time - start > 0.5) {
      is_measured = true;
      began = time, done = objects = 0;
      client_before = client_cpu(), server_before = server_cpu(connections);
    }
    is_over = is_measured && time - began >= seconds;
    if (!is_over && poll(polled, (nfds_t)connections, 10000) <= 0) fail("the server does not answer");
  }
  double client = client_cpu() - client_before, server = server_cpu(connections) - server_before;
  printf("{\"dashboards\": %zu, \"objects\": %.1f, \"rate\": %.0f, \"client\": %.2f, \"server\": %.2f}\n", done,
         (double)objects / (double)done, (double)done / (now() - began), client / (double)done * 1e6,
         server / (double)done * 1e6);
}
