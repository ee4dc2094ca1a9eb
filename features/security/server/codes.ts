import { createHmac, randomInt } from 'node:crypto'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { digestKeys, seal, unseal } from '#foundation/server/keys.ts'
import { factorUsed } from '#features/security/contract.ts'
import * as queries from './factor-queries.ts'
import { stepsOf } from './one-time-codes.ts'

/** The authenticator that a code belonged to; goes into the session's `methods`. */
type UsedFactor = { id: number; type: 'totp' | 'recovery_codes' }

const totalCodes = 10

/**
 * Uses up a TOTP or recovery code (exactly six or eight digits); undefined if it is wrong or was used before. Atomic: of many requests with
 * the same code at once, one succeeds. Count the attempt first (`countCodeAttempt`).
 */
export async function useCode(
  app: App,
  tx: Tx,
  user_id: string,
  code: string,
): Promise<UsedFactor | undefined> {
  const used = await spend(app, tx, user_id, code)
  if (used) await emit(app, tx, factorUsed, { user_id })
  return used
}

async function spend(app: App, tx: Tx, user_id: string, code: string): Promise<UsedFactor | undefined> {
  if (/^[0-9]{6}$/.test(code)) return spendStep(app, tx, user_id, code)
  if (/^[0-9]{8}$/.test(code)) return spendRecoveryCode(app, tx, user_id, code)
  return undefined
}

async function spendStep(app: App, tx: Tx, user_id: string, code: string): Promise<UsedFactor | undefined> {
  const totp = await queries.totpOf(tx, user_id)
  if (!totp) return undefined
  for (const step of stepsNow(app, openSecret(app, user_id, totp.secret), code)) {
    const id = await queries.useStep(tx, user_id, step)
    if (id !== undefined) return { id, type: 'totp' }
  }
  return undefined
}

async function spendRecoveryCode(
  app: App,
  tx: Tx,
  user_id: string,
  code: string,
): Promise<UsedFactor | undefined> {
  const digests = digestKeys(app.keys).map((key) => digestOf(key, user_id, code))
  const id = await queries.useRecoveryCode(tx, user_id, digests)
  return id === undefined ? undefined : { id, type: 'recovery_codes' }
}

/** True if a code matches a secret now. The code is not used up. */
export const fits = (app: App, secret: string, code: string): boolean =>
  /^[0-9]{6}$/.test(code) && stepsNow(app, secret, code).length > 0

const stepsNow = ({ config }: App, secret: string, code: string): bigint[] =>
  stepsOf(secret, code, { now_s: Date.now() / 1000, tolerance: config.totpToleranceSteps })

export const sealSecret = ({ keys }: App, user_id: string, secret: string) =>
  seal(keys, secret, `totp:${user_id}`)
export const openSecret = ({ keys }: App, user_id: string, sealed: string) =>
  unseal(keys, sealed, `totp:${user_id}`)

/** Replaces the recovery codes by ten new ones of eight digits. */
export async function makeRecoveryCodes(app: App, tx: Tx, user_id: string): Promise<void> {
  const codes = new Set<string>()
  while (codes.size < totalCodes) codes.add(String(randomInt(100_000_000)).padStart(8, '0'))
  const rows = [...codes].map((code) => ({
    ...sealedCode(app, user_id, code),
  }))
  await queries.replaceRecoverySet(tx, user_id, rows)
}

/** Returns a recovery code as it is stored: a digest by which it is found, and a sealed copy that can be shown again. */
const sealedCode = ({ keys }: App, user_id: string, code: string) => ({
  digest: digestOf(keys.digests, user_id, code),
  sealed: seal(keys, code, contextOf(user_id)),
})

/** Returns a stored code sealed anew with the present key. */
export const resealCode = (app: App, user_id: string, sealed: string) =>
  sealedCode(app, user_id, unseal(app.keys, sealed, contextOf(user_id)))

const contextOf = (user_id: string) => `recovery_code:${user_id}`

/** The codes that were not used yet, in clear. */
export async function unusedCodes(app: App, db: App['db'], user_id: string): Promise<string[]> {
  const sealed = await queries.sealedCodesOf(db, user_id)
  return sealed.map((text) => unseal(app.keys, text, contextOf(user_id)))
}

// Eight digits are few enough to try all against a plain hash; without the key the digest reveals nothing.
const digestOf = (key: Uint8Array, user_id: string, code: string) =>
  createHmac('sha256', key).update(`${user_id}:${code}`).digest()
