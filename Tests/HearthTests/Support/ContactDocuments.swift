extension Documents {
  static let info = """
    id scope kind label email primary phone { number countryCode extension e164 formatted }
    address { line1 line2 city region postalCode country formatted }
    """
  static let person = """
    id name firstName middleName lastName avatar { placeholder } theme dateOfBirth age gender currentCity hometown company
    highSchools colleges socialMedia memberSince relation contactInfo { \(info) }
    """
  static let request = "id from { id name } to { id name } offered requested message invitedEmail createdAt"
  static let contact = "id person { id name } since sharing sharedWithViewer"

  static let updateProfile = """
    mutation ($input: UpdateProfileInput!) { updateProfile(input: $input) { person { \(person) } \(errors) } }
    """
  static let addContactInfo = """
    mutation ($scope: Scope!, $info: ContactInfoInput!, $label: String, $primary: Boolean) {
      addContactInfo(scope: $scope, info: $info, label: $label, primary: $primary) {
        contactInfo { \(info) } \(errors) } }
    """
  static let updateContactInfo = """
    mutation ($id: ID!, $info: ContactInfoInput, $scope: Scope, $label: String, $primary: Boolean) {
      updateContactInfo(id: $id, info: $info, scope: $scope, label: $label, primary: $primary) {
        contactInfo { \(info) } \(errors) } }
    """
  static let removeContactInfo = "mutation ($id: ID!) { removeContactInfo(id: $id) { removedId \(errors) } }"
  static let requestContact = """
    mutation ($id: ID!, $offer: [Scope!]!, $request: [Scope!], $message: String) {
      requestContact(personId: $id, offer: $offer, request: $request, message: $message) {
        contactRequest { \(request) } contact { \(contact) } \(errors) } }
    """
  static let inviteContact = """
    mutation ($email: String!, $offer: [Scope!]!, $message: String) {
      inviteContact(email: $email, offer: $offer, message: $message) {
        contactRequest { \(request) } contact { \(contact) } \(errors) } }
    """
  static let acceptContact = """
    mutation ($id: ID!, $share: [Scope!]!) { acceptContact(requestId: $id, share: $share) {
      contact { \(contact) } \(errors) } }
    """
  static let rejectContact = "mutation ($id: ID!) { rejectContact(requestId: $id) { removedId \(errors) } }"
  static let cancelRequest = "mutation ($id: ID!) { cancelContactRequest(requestId: $id) { removedId \(errors) } }"
  static let setSharing = """
    mutation ($id: ID!, $scopes: [Scope!]!) { setSharing(contactId: $id, scopes: $scopes) {
      contact { \(contact) } \(errors) } }
    """
  static let removeContact = "mutation ($id: ID!) { removeContact(id: $id) { removedId \(errors) } }"
  static let matchAddressBook = """
    mutation ($entries: [AddressBookEntryInput!]!) { matchAddressBook(entries: $entries) {
      matches { entry invited relation person { id name } } \(errors) } }
    """
  static let matchFriends = """
    mutation ($token: String!) { matchFacebookFriends(accessToken: $token) {
      matches { entry invited relation person { id name } } \(errors) } }
    """
  static let markRead = """
    mutation ($ids: [ID!]) { markNotificationsRead(ids: $ids) { account { unreadNotificationCount } \(errors) } }
    """
  static let contacts = """
    query ($query: String, $first: Int = 50, $after: String) { viewer { ... on Account {
      contacts(query: $query, first: $first, after: $after) {
        totalCount nodes { \(contact) } edges { cursor } pageInfo { hasNextPage hasPreviousPage endCursor } } } } }
    """
  static let requests = """
    query ($direction: RequestDirection) { viewer { ... on Account { contactRequests(direction: $direction) {
      totalCount nodes { \(request) } } } } }
    """
  static let notifications = """
    query ($unreadOnly: Boolean) { viewer { ... on Account { unreadNotificationCount
      notifications(unreadOnly: $unreadOnly) { totalCount nodes { __typename id createdAt readAt message
        ... on ContactRequestNotification { request { id from { name } offered } }
        ... on ContactAcceptedNotification { person { name } }
        ... on ContactRemovedNotification { person { name } }
        ... on GroupInvitationNotification { group { name } invitedBy { name } }
        ... on ReminderNotification { reminder { status chore { name } } } } } } } }
    """
  static let personByID = "query ($id: ID!) { node(id: $id) { ... on Person { \(person) } } }"
}
