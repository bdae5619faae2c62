/// The GraphQL documents of these tests.
enum Documents {
  static let errors = "userErrors { field code reason message parameters { name value } }"

  static let register = """
    mutation ($input: RegisterInput!) { register(input: $input) {
      credentials { accessToken tokenType expiresAt refreshToken viewer {
        __typename ... on Account { id email phone name firstName middleName lastName dateOfBirth gender
          family { id name } person { id } }
      } }
      \(errors)
    } }
    """
  static let signIn = """
    mutation ($input: SignInInput!) { signIn(input: $input) {
      credentials { accessToken tokenType expiresAt refreshToken viewer { __typename ... on Account { id name email } } }
      \(errors)
    } }
    """
  static let signInChild = """
    mutation ($input: ChildSignInInput!) { signInChild(input: $input) {
      credentials { accessToken tokenType expiresAt refreshToken
        viewer { __typename ... on Child { id name username } } }
      \(errors)
    } }
    """
  static let refresh = """
    mutation ($token: String!) { refreshSession(refreshToken: $token) {
      credentials { accessToken tokenType expiresAt refreshToken viewer { __typename } }
      \(errors)
    } }
    """
  static let signOut = "mutation ($everywhere: Boolean) { signOut(everywhere: $everywhere) { signedOut \(errors) } }"
  static let addChild = """
    mutation ($input: AddChildInput!) { addChild(input: $input) {
      child { id name username dateOfBirth age gender theme points achievementPoints family { id }
        avatar { url placeholder contentType byteCount width height } }
      \(errors)
    } }
    """
  static let addChore = """
    mutation ($input: AddChoreInput!) { addChore(input: $input) {
      chore { id name notes priority dueAt frequency status createdAt updatedAt period copiedFrom { id }
        image { url placeholder contentType byteCount }
        assignees { __typename id name } createdBy { id name } family { id } }
      \(errors)
    } }
    """
  static let makeContract = """
    mutation ($input: MakeContractInput!) { makeContract(input: $input) {
      contract { id description maxPoints points progress active createdAt levels { level points award reached }
        child { id points prizeLevel { level } contract { id } } }
      \(errors)
    } }
    """
  static let assignPoints = """
    mutation ($input: AssignPointsInput!) { assignPoints(input: $input) {
      child { id points achievementPoints prizeLevel { level award reached } contract { points progress } }
      finishedChores { id points finishedAt chore { id name status } child { id } assignedBy { id name } }
      \(errors)
    } }
    """
  static let updateAccount = """
    mutation ($input: UpdateAccountInput!) { updateAccount(input: $input) {
      account { id name firstName middleName lastName dateOfBirth gender theme phone person { name } avatar { url } }
      \(errors)
    } }
    """
  static let updateFamily = """
    mutation ($input: UpdateFamilyInput!) { updateFamily(input: $input) { family { id name timeZone } \(errors) } }
    """
  static let updateChild = """
    mutation ($input: UpdateMemberInput!) { updateChild(input: $input) {
      child { id name username dateOfBirth age gender theme avatar { url } }
      \(errors)
    } }
    """
  static let removeChild = "mutation ($id: ID!) { removeChild(id: $id) { removedId \(errors) } }"
  static let updateChore = """
    mutation ($input: UpdateChoreInput!) { updateChore(input: $input) {
      chore { id name notes priority dueAt frequency status createdAt updatedAt assignees { id } }
      \(errors)
    } }
    """
  static let progress = """
    chore { id status finishedBy { __typename id } finishedAt awaitsApproval approvedBy { id } approvedAt approvedPoints
      returnedBy { id } returnComment }
    """
  static let finishChore = "mutation ($id: ID!) { finishChore(id: $id) { \(progress) \(errors) } }"
  static let reopenChore = "mutation ($id: ID!) { reopenChore(id: $id) { \(progress) \(errors) } }"
  static let approveChore = """
    mutation ($input: ApproveChoreInput!) { approveChore(input: $input) { \(progress) \(errors) } }
    """
  static let returnChore = """
    mutation ($input: ReturnChoreInput!) { returnChore(input: $input) { \(progress) \(errors) } }
    """
  static let preloadChores = """
    mutation ($input: PreloadChoresInput!) { preloadChores(input: $input) {
      chores { id name period dueAt status frequency copiedFrom { id } }
      \(errors)
    } }
    """
  static let removeChore = "mutation ($id: ID!) { removeChore(id: $id) { removedId \(errors) } }"
  private static let reward = """
    contract { id points fulfilled levels { level reached redeemedAt redeemedBy { __typename id } handedOutAt \
    handedOutBy { id } } child { points } } entry { id points kind reason author { id } contract { id } } \(errors)
    """
  static let redeemReward = "mutation ($input: RewardInput!) { redeemReward(input: $input) { \(reward) } }"
  static let handOutReward = "mutation ($input: RewardInput!) { handOutReward(input: $input) { \(reward) } }"
  static let entry = """
    points kind reason createdAt member { __typename id } author { __typename id } chore { id } contract { id } \
    corrected { id }
    """
  static let correctPoints = """
    mutation ($input: CorrectPointsInput!) { correctPoints(input: $input) {
      entry { id \(entry) } member { id ... on Child { points achievementPoints contract { points } } }
      \(errors)
    } }
    """
  static let pointEntries = """
    query ($id: ID!) { node(id: $id) { ... on Child {
      points achievementPoints pointEntries { totalCount nodes { id \(entry) } } } } }
    """
  static let endContract = """
    mutation ($id: ID!) { endContract(id: $id) {
      contract { id active points child { points achievementPoints prizeLevel { level } contract { id } } }
      \(errors)
    } }
    """
  static let reminder = "reminder { id remindAt status deliveredAt answeredBy { id } chore { id status } }"
  static let setReminder = """
    mutation ($input: SetReminderInput!) { setReminder(input: $input) { \(reminder) \(errors) } }
    """
  static let answerReminder = """
    mutation ($input: AnswerReminderInput!) { answerReminder(input: $input) { \(reminder) \(errors) } }
    """
  static let removeReminder = "mutation ($id: ID!) { removeReminder(id: $id) { removedId \(errors) } }"
  static let item = """
    item { id name photo { url placeholder contentType byteCount width height } family { id } createdBy { id } createdAt }
    """
  static let addItem = "mutation ($input: AddItemInput!) { addItem(input: $input) { \(item) \(errors) } }"
  static let updateItem = "mutation ($input: UpdateItemInput!) { updateItem(input: $input) { \(item) \(errors) } }"
  static let removeItem = "mutation ($id: ID!) { removeItem(id: $id) { removedId \(errors) } }"
  static let whoAmI = "{ viewer { __typename ... on Node { id } } }"
}
