/** The kind of a secret, as a word that may stand in its place. */
type Word = 'key' | 'token' | 'password' | 'licence key'

/** Forms that nothing but a secret has: they are offered to be sent apart, and go to no other program. */
export const secretForms: readonly (readonly [form: RegExp, word: Word])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/u, 'key'],
  [/\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/u, 'token'],
  [/\b[a-z][a-z\d+.-]{0,30}:\/\/[^\s/:@]{1,200}:[^\s/@]{1,200}@/iu, 'password'],
  [/\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}/u, 'token'],
  [/\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{30,}|glpat-[\w-]{20,})/u, 'token'],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/u, 'token'],
  [/\bxox[abprs]-[A-Za-z0-9-]{20,}/u, 'token'],
  [/\bAIza[\w-]{35}\b/u, 'key'],
  [/\bhd[a-z]_\w{20,}/u, 'token'],
  [/\bwhsec_[A-Za-z0-9+/=]{24,}/u, 'token'],
  [/\bAGE-SECRET-KEY-1[A-Z0-9]{50,}/u, 'key'],
  [/\b(?:[A-Z0-9]{5}-){4}[A-Z0-9]{5}\b/iu, 'licence key'],
]

/** The names by which people introduce a secret, as the inside of a pattern; upper and lower case are alike. */
export const secretNames =
  'password|passwd|passphrase|pass|pwd|passwort|kennwort|pw|pin|token|secret|api[- _]?key|access[- _]?key|schlüssel|api-schlüssel|пароль|пин|токен|секрет|ключ'
