import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { devicesOf, findUser, findUsers } from '#foundation/server/session/session.ts'
import * as contract from '#features/customers/contract.ts'
import { termsFor } from '#features/legal/server/legal.ts'
import { addressesOf } from '#features/profile/server/profile.ts'
import { blockOf } from './blocks.ts'
import { mergeOf, mergesInto } from './merge-queries.ts'
import { customerOf, stateOf } from './customer-of.ts'
import { factorResetOf } from './factor-resets.ts'

/** Answers `GET …/account/`. */
export const getCustomerAccount = handler(contract.getCustomerAccount, async ({ app, params }) => ({
  status: 200,
  body: await accountReply(app, params.userId),
}))

/** Returns how a customer signs in, without any token or key. Throws 404 for a deleted account as for an unknown one. */
export async function accountReply(app: App, user_id: string): Promise<contract.CustomerAccount> {
  const row = await customerOf(app.db, user_id)
  const [user, addresses, devices, block, factor_reset, merged_into, merged_from, terms] = await Promise.all([
    findUser(app.db, user_id),
    addressesOf(app.db, user_id),
    transaction(app, 'system', (tx) => devicesOf(app, tx, user_id)),
    blockOf(app, app.db, user_id),
    factorResetOf(app, app.db, user_id),
    mergedInto(app.db, user_id),
    mergedFrom(app.db, user_id),
    termsFor(app, app.db, user_id),
  ])
  return {
    state: stateOf(row),
    block,
    factor_reset,
    merged_into,
    merged_from,
    created_at: row.created_at.toISOString(),
    terms,
    last_login_at: row.last_login_at?.toISOString() ?? null,
    addresses: addresses.map(({ id, email, is_primary, verified }) => ({
      id: Number(id),
      email,
      primary: is_primary,
      proven: verified,
    })),
    two_factor: (user?.factors ?? []).filter((factor) => factor !== 'recovery_codes'),
    sessions: devices.map(({ id, ip, user_agent, created_at, written_at }) => ({
      id: Number(id),
      ip,
      user_agent,
      created_at: created_at.toISOString(),
      last_seen_at: written_at.toISOString(),
    })),
  }
}

async function mergedInto(db: App['db'], user_id: string): Promise<contract.CustomerAccount['merged_into']> {
  const merge = await mergeOf(db, user_id)
  const into = merge && (await findUser(db, merge.into_id))
  const undo_until = merge?.is_open ? merge.undo_until.toISOString() : null
  return into ? { id: into.id, email: into.email, undo_until } : null
}

async function mergedFrom(db: App['db'], user_id: string): Promise<contract.CustomerAccount['merged_from']> {
  const merges = await mergesInto(db, user_id)
  const users = await findUsers(
    db,
    merges.map((merge) => merge.user_id),
  )
  return merges.flatMap(({ user_id: id, merged_at }) => {
    const user = users.get(id)
    return user?.is_active ? [{ id, email: user.email, merged_at: merged_at.toISOString() }] : []
  })
}
