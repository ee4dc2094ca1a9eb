import { event } from '#foundation/contract.ts'

/** The codes of `judgePassword`, in Django's order; each call that sets a password declares them. */
export const passwordFaults = [
  'password_too_similar',
  'password_too_short',
  'password_too_common',
  'password_entirely_numeric',
] as const

/** The account has another password; whatever was made for the old one (reset keys) is void. */
export const passwordChanged = event<{ user_id: string }>('security.password_changed')

/** A second factor came or went. */
export const factorsChanged = event<{ user_id: string }>('security.factors_changed')
