/** How long things live, in seconds (auth contract section 1). Tests shorten them; an installation does not. */
export const lifetimes = {
  /** A session ends this long after it was last written. */
  session_s: 1_209_600,
  /** A session ends this long after sign-in, whatever it does; the setting SESSION_DAYS. Refresh tokens end with it. */
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
