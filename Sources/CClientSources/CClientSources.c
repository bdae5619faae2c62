#include "CClientSources.h"

// The compiler embeds the files, so that the program alone can generate complete clients. It lists each embedded file as a
// dependency of this one, so that a change to any of them rebuilds it.

// #embed was introduced in C23, and SwiftPM cannot enable C23 for a single target.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char typescript_client[] = {
#embed "files/client.ts"
  ,
#embed "files/live.ts"
  ,
#embed "files/requests.ts"
};
static const unsigned char react_hooks[] = {
#embed "files/react.ts"
};
static const unsigned char credentials[] = {
#embed "../HearthClient/Credentials.swift"
};
static const unsigned char graph_qlid[] = {
#embed "../HearthClient/Inputs/GraphQLID.swift"
};
static const unsigned char graph_qlinput[] = {
#embed "../HearthClient/Inputs/GraphQLInput.swift"
};
static const unsigned char graph_qloperation[] = {
#embed "../HearthClient/GraphQLOperation.swift"
};
static const unsigned char graph_qlresponse[] = {
#embed "../HearthClient/Requests/GraphQLResponse.swift"
};
static const unsigned char hearth_client[] = {
#embed "../HearthClient/HearthClient.swift"
};
static const unsigned char hearth_error[] = {
#embed "../HearthClient/HearthError.swift"
};
static const unsigned char local_date[] = {
#embed "../HearthClient/Inputs/LocalDate.swift"
};
static const unsigned char request_body[] = {
#embed "../HearthClient/Requests/RequestBody.swift"
};
static const unsigned char server_sent_events[] = {
#embed "../HearthClient/Live/ServerSentEvents.swift"
};
static const unsigned char session[] = {
#embed "../HearthClient/Session.swift"
};
static const unsigned char streamed_response[] = {
#embed "../HearthClient/Live/StreamedResponse.swift"
};
static const unsigned char subscription_events[] = {
#embed "../HearthClient/Live/SubscriptionEvents.swift"
};
static const unsigned char upload_file[] = {
#embed "../HearthClient/Inputs/UploadFile.swift"
};

#define FILE_NAMED(name, bytes) {name, bytes, sizeof bytes}

struct ClientSource typescript_client_source(void) {
  return (struct ClientSource)FILE_NAMED("client.ts", typescript_client);
}

struct ClientSource react_hooks_source(void) { return (struct ClientSource)FILE_NAMED("react.ts", react_hooks); }

// The names lack the folders: the files are written to one folder. Tests compare the list with the module's files.
static const struct ClientSource swift_client[] = {
  FILE_NAMED("Credentials.swift", credentials),
  FILE_NAMED("GraphQLID.swift", graph_qlid),
  FILE_NAMED("GraphQLInput.swift", graph_qlinput),
  FILE_NAMED("GraphQLOperation.swift", graph_qloperation),
  FILE_NAMED("GraphQLResponse.swift", graph_qlresponse),
  FILE_NAMED("HearthClient.swift", hearth_client),
  FILE_NAMED("HearthError.swift", hearth_error),
  FILE_NAMED("LocalDate.swift", local_date),
  FILE_NAMED("RequestBody.swift", request_body),
  FILE_NAMED("ServerSentEvents.swift", server_sent_events),
  FILE_NAMED("Session.swift", session),
  FILE_NAMED("StreamedResponse.swift", streamed_response),
  FILE_NAMED("SubscriptionEvents.swift", subscription_events),
  FILE_NAMED("UploadFile.swift", upload_file),
};

const size_t swift_client_source_count = sizeof swift_client / sizeof swift_client[0];

struct ClientSource swift_client_source(size_t index) { return swift_client[index]; }
