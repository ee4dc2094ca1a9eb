import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { updateUser } from '#foundation/server/session/session.ts'
import * as contract from '#features/security/contract.ts'
import { makeRecoveryCodes } from './codes.ts'
import * as queries from './factor-queries.ts'
import { deletePasskeysOf, passkeysOf, type PasskeyRow } from './passkey-queries.ts'

/** All second factors, oldest first. The recovery codes themselves are never included. */
export const listAuthenticators = handler(contract.listAuthenticators, async ({ app, actor }) => {
  return { status: 200, body: { status: 200, data: await authenticatorsOf(app.db, actor.user_id) } }
})

export async function authenticatorsOf(db: App['db'], user_id: string) {
  const [totp, codes, passkeys] = await Promise.all([
    queries.totpOf(db, user_id),
    queries.recoverySetOf(db, user_id),
    passkeysOf(db, user_id),
  ])
  const found = [
    ...(totp ? [{ id: totp.id, shown: toTotpReply(totp) }] : []),
    ...(codes ? [{ id: codes.id, shown: toRecoverySetReply(codes) }] : []),
    ...passkeys.map((passkey) => ({ id: passkey.id, shown: toPasskeyReply(passkey) })),
  ]
  return found.toSorted((a, b) => a.id - b.id).map(({ shown }) => shown)
}

export const toTotpReply = (row: queries.TotpRow) => ({ type: 'totp', ...times(row) }) as const

export const toRecoverySetReply = (row: queries.RecoverySet) =>
  ({
    type: 'recovery_codes',
    ...times(row),
    total_code_count: row.total_count,
    unused_code_count: row.unused_count,
  }) as const

export const toPasskeyReply = (row: PasskeyRow): contract.Passkey => ({
  type: 'webauthn',
  ...times(row),
  id: row.id,
  name: row.name,
  is_passwordless: row.is_passwordless,
})

const times = ({ created_at, last_used_at }: { created_at: Date; last_used_at: Date | null }) => ({
  created_at: created_at.getTime() / 1000,
  last_used_at: last_used_at && last_used_at.getTime() / 1000,
})

/** Removes all second factors of an account, and its recovery codes. */
export async function removeFactors(app: App, tx: Tx, user_id: string): Promise<void> {
  await deletePasskeysOf(tx, user_id)
  await queries.deleteFactors(tx, user_id)
  await settleFactors(app, tx, user_id)
}

/**
 * Called after a factor was added or removed, with the user's row locked: makes recovery codes with the first
 * factor and deletes them with the last, and updates the account's flags. Returns whether codes were made.
 */
export async function settleFactors(app: App, tx: Tx, user_id: string): Promise<{ generated: boolean }> {
  const had = await queries.factorsOf(tx, user_id)
  const isOn = had.some((factor) => factor !== 'recovery_codes')
  const generated = isOn && !had.includes('recovery_codes')
  if (generated) await makeRecoveryCodes(app, tx, user_id)
  // Codes alone would be a second factor that the user cannot renew.
  if (!isOn) await queries.deleteRecoverySet(tx, user_id)
  await updateUser(tx, user_id, { factors: await queries.factorsOf(tx, user_id) })
  await emit(app, tx, contract.factorsChanged, { user_id })
  return { generated }
}
