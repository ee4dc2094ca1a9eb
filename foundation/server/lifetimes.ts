/**
 * How long things live, in seconds (auth contract section 1). An installation changes only `session_longest_s`; tests shorten others too.
 */
export const lifetimes = {
  /** A session ends this long after its row was last written, for instance by a renewal of its tokens; reading does not prolong it. */
  session_s: 1_209_600,
  /**
   * A session ends this long after sign-in, however active it is; refresh tokens end with it. The setting SESSION_DAYS replaces this value.
   */
  session_longest_s: 7_776_000,
  login_stage_s: 900,
  recent_authentication_s: 300,
  /** A view, in which a member of staff sees an account as its customer does, lasts this long. */
  view_s: 900,
  access_token_s: 300,
  verification_key_s: 86_400,
  /** An unproven claim to an address ends after this time (rule 37); a key lives no longer than the claim that it proves. */
  unproven_claim_s: 86_400,
  password_reset_key_s: 259_200,
  /** The mail that proves a claim to an address goes out at most this often. */
  verification_mail_pause_s: 180,
}

export type Lifetimes = typeof lifetimes
