import type { App } from '#foundation/server/app.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { changedTo } from '#foundation/versions.ts'
import { badRequest, HttpError } from '#foundation/server/http/http-error.ts'
import { enqueueMail } from '#foundation/server/mail/outbox.ts'
import { endSessionsOf, findUser, setAccess, type UserRow } from '#foundation/server/session/session.ts'
import { sendResetLink } from '#features/auth/server/auth.ts'
import * as contract from '#features/customers/contract.ts'
import type { Cause, Level } from '#features/customers/rules.ts'
import { accessChanged } from '#features/profile/contract.ts'
import { addressesOf, displayNames } from '#features/profile/server/profile.ts'
import { voidPassword } from '#features/security/server/security.ts'
import * as queries from './block-queries.ts'
import { lockCustomer } from './lock-customer.ts'
import { accountBlocked, accountLocked, accountUnblocked, mailToAll } from './mails.ts'
import { accountsMerged } from './merge-mails.ts'
import { mergeOf } from './merge-queries.ts'
import { recordAct } from './record-act.ts'
import { memberOf, type Who } from './who.ts'

/** Answers `PUT …/block/`. A repeated request writes nothing. */
export const setBlock = handler(contract.setBlock, async (call) => {
  const { app, params, body } = call
  const { level, reason } = body
  const cause = level === 'none' ? null : (body.cause ?? null)
  if (level !== 'none' && !cause) throw badRequest('required', 'cause')
  const message = level === 'none' ? '' : body.message.trim()
  const change = { level, from: body.from, cause, reason, message }
  const { isDone, block: held } = await block(app, memberOf(call), params.userId, change)
  return isDone ? { status: 200, body: { block: held } } : changedTo({ block: held })
})

type Change = {
  level: Level
  /** The level that the member of staff saw: a change that a colleague has made since is not undone unseen. */
  from?: Level | undefined
  cause: Cause | null
  reason: string
  message: string
}

/** Blocks or locks an account, or opens it again. A repeated call writes nothing. Returns the block that is then in force. */
export async function block(
  app: App,
  who: Who,
  customer_id: string,
  change: Change,
): Promise<{ isDone: boolean; block: contract.CustomerBlock | null }> {
  return transaction(app, 'system', async (tx) => {
    const customer = await lockCustomer(tx, who, customer_id)
    const isDone = await changeBlock(app, tx, customer, { ...change, who })
    return { isDone, block: await blockOf(app, tx, customer_id) }
  })
}

/** Changes nothing and returns false if the account no longer has the level `from` that the member of staff saw. */
async function changeBlock(
  app: App,
  tx: Tx,
  customer: UserRow,
  { who, from, ...change }: Change & { who: Who },
): Promise<boolean> {
  const { id: user_id } = customer
  const { level, cause, reason, message } = change
  const before = (await queries.latestBlock(tx, user_id)) ?? none
  if (before.level === level && before.cause === cause && before.message === message) return true
  // It is locked by its merge, whose undoing opens it.
  if (await mergeOf(tx, user_id)) throw new HttpError(409, [{ code: 'account_merged' }])
  if (from !== undefined && from !== before.level) return false
  await queries.insertBlock(tx, { user_id, ...change, by: who.actor?.user_id ?? null })
  const access = level === 'none' ? 'open' : level
  await setAccess(tx, user_id, { access, message })
  const ended = level === 'locked' ? await endSessionsOf(tx, user_id) : 0
  if (access !== customer.access) await emit(app, tx, accessChanged, { user_id, access })
  const isUnlocked = customer.access === 'locked' && level !== 'locked'
  await recordAct(tx, { user_id, who, act: ACTS[level], reason, detail: { cause, message, ended } })
  await mailToAll(app, tx, customer, MAILS[level], { message, isUnlocked })
  if (isUnlocked) await letInAgain(app, tx, customer)
  return true
}

const none = { level: 'none', cause: null, message: '' } as const

/** Voids the password, which others may know, since the account was locked; mails a link to set another. */
async function letInAgain(app: App, tx: Tx, { id: user_id, email, locale }: UserRow): Promise<void> {
  await voidPassword(app, tx, user_id)
  await sendResetLink(app, tx, { user_id, email, locale })
}

const ACTS = { none: 'customer.unblocked', blocked: 'customer.blocked', locked: 'customer.locked' } as const
const MAILS = { none: accountUnblocked, blocked: accountBlocked, locked: accountLocked } as const

/** Mails once more how to reach the support, or to which account a merged one belongs, when somebody asks for another password by a proven address of a locked account. */
export async function mailLockedAgain(
  app: App,
  tx: Tx,
  { user_id, email }: { user_id: string; email: string },
): Promise<void> {
  const user = await findUser(tx, user_id)
  const isProven = (await addressesOf(tx, user_id)).some((one) => one.email === email && one.verified)
  if (!user || !isProven) return
  const merge = await mergeOf(tx, user_id)
  const kept = merge && (await findUser(tx, merge.into_id))
  if (kept) {
    const values = { from: user.email, into: kept.email }
    await enqueueMail(app, tx, { user_id, to: email, locale: user.locale, template: accountsMerged, values })
    return
  }
  const values = { message: (await queries.latestBlock(tx, user_id))?.message ?? '', isUnlocked: false }
  await enqueueMail(app, tx, {
    user_id,
    to: email,
    locale: user.locale,
    template: accountLocked,
    values,
  })
}

/** The block that is in force; null where there is none. */
export async function blockOf(
  app: App,
  db: App['db'],
  user_id: string,
): Promise<contract.CustomerBlock | null> {
  const row = await queries.latestBlock(db, user_id)
  if (!row || row.level === 'none' || row.cause === null) return null
  const { level, cause, reason, message, by, at } = row
  const name = by === null ? null : (await displayNames(app, db, [by])).of(by).name
  return { level, cause, reason, message, by: name, at: at.toISOString() }
}
