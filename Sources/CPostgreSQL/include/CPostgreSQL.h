#pragma once
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif
#include <stddef.h>

/* libpq, loaded when the first PostgreSQL database is opened. Only its header is needed to compile: a server that keeps its
 * data in SQLite runs where libpq is not installed. */

#define LIBPQ_FUNCTIONS(FUNCTION) \
  FUNCTION(PQlibVersion) \
  FUNCTION(PQisthreadsafe) \
  FUNCTION(PQconninfoParse) \
  FUNCTION(PQconninfoFree) \
  FUNCTION(PQfreemem) \
  FUNCTION(PQconnectStartParams) \
  FUNCTION(PQconnectPoll) \
  FUNCTION(PQfinish) \
  FUNCTION(PQsocket) \
  FUNCTION(PQstatus) \
  FUNCTION(PQtransactionStatus) \
  FUNCTION(PQparameterStatus) \
  FUNCTION(PQserverVersion) \
  FUNCTION(PQbackendPID) \
  FUNCTION(PQerrorMessage) \
  FUNCTION(PQsetNoticeProcessor) \
  FUNCTION(PQsetnonblocking) \
  FUNCTION(PQenterPipelineMode) \
  FUNCTION(PQpipelineSync) \
  FUNCTION(PQsendPrepare) \
  FUNCTION(PQsendQueryPrepared) \
  FUNCTION(PQsendQueryParams) \
  FUNCTION(PQflush) \
  FUNCTION(PQconsumeInput) \
  FUNCTION(PQisBusy) \
  FUNCTION(PQgetResult) \
  FUNCTION(PQclear) \
  FUNCTION(PQnotifies) \
  FUNCTION(PQresultStatus) \
  FUNCTION(PQresultErrorField) \
  FUNCTION(PQntuples) \
  FUNCTION(PQnfields) \
  FUNCTION(PQftype) \
  FUNCTION(PQgetisnull) \
  FUNCTION(PQgetlength) \
  FUNCTION(PQgetvalue) \
  FUNCTION(PQcmdStatus) \
  FUNCTION(PQcmdTuples)

#define LIBPQ_FIELD(name) __typeof__(&name) name;

/* Its functions, each by its own name. */
typedef struct {
  LIBPQ_FUNCTIONS(LIBPQ_FIELD)
} libpq_functions;

#undef LIBPQ_FIELD

/* Loads libpq into the process at the first call. Returns its functions, or NULL after writing the reason to `reason`.
 * Threads must not make the first call at the same time. */
const libpq_functions *libpq_load(char *reason, size_t reason_size);
