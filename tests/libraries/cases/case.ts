import * as d from '#tests/libraries/documents.ts'

/** The expectations of a case, without the keys, which are the same for all cases. */
export type Expected = {
  at?: number
  revocations?: string
  least_seq?: number
  ipv4?: string[]
  ipv6?: string[]
  fingerprint?: string
  licence_key?: string
  issuer?: string
  product?: string
  requires?: string[]
}
export type Answer = { verdict: string; reason: string; plan: string | null; entitlements: object }
export type VectorCase = { name: string; document: string; expected: Expected; answer: Answer }

const { issued, entitlements } = d
export const soon = issued + 60

export const licensed = (
  verdict: 'valid' | 'in_grace',
  plan: string,
  allowed: object,
  reason: string = verdict,
): Answer => ({
  verdict,
  reason,
  plan,
  entitlements: allowed,
})
export const STANDARD = licensed('valid', 'standard-month', entitlements)
const refused = (verdict: 'not_licensed' | 'not_genuine', reason: string): Answer => ({
  verdict,
  reason,
  plan: null,
  entitlements: {},
})
export const not = (reason: string) => refused('not_licensed', reason)
export const forged = (reason: string) => refused('not_genuine', reason)

export const one = (name: string, document: string, answer: Answer, expected: Expected = {}): VectorCase => ({
  name,
  document,
  expected: { at: soon, ...expected },
  answer,
})
