import {
  seeSession,
  storeAnswer,
  type StoredUser,
  type TokenPair,
} from '#foundation/web/api/stored-session.ts'

/** Store values as the answer of a call would that began just now. */
export const storeUser = (user: StoredUser): void => void storeAnswer(seeSession(), { user })
export const storeTokens = (tokens: TokenPair): void => void storeAnswer(seeSession(), { tokens })
export const storeSessionToken = (session_token: string): void =>
  void storeAnswer(seeSession(), { session_token })
