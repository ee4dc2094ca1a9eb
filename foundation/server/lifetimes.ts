/** How long things live, in seconds (auth contract section 1). Tests shorten them; an installation does not. */
export const lifetimes = {
  session_s: 1_209_600,
  login_stage_s: 900,
  recent_authentication_s: 300,
  access_token_s: 300,
  refresh_token_s: 86_400,
  verification_key_s: 259_200,
  password_reset_key_s: 259_200,
  /** A mail to confirm an address goes out at most this often per address. */
  verification_mail_pause_s: 180,
  /** Posting a rotated refresh token again within this time is a race of two tabs; later it is theft. */
  refresh_reuse_grace_s: 10,
}

export type Lifetimes = typeof lifetimes
