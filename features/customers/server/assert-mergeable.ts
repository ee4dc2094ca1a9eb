import type { ErrorCode } from '#texts/errors.js'
import type { App } from '#foundation/server/app.ts'
import { isMoneyProposedFor, isProposedFor } from '#foundation/server/approvals/queries.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { lockUser, type UserRow } from '#foundation/server/session/session.ts'
import * as contract from '#features/customers/contract.ts'
import { movable } from '#features/finance/server/finance.ts'
import { lockAllToGive, type HostRow } from '#features/hosts/server/hosts.ts'
import { hasWaitingWithdrawal } from '#features/legal/server/legal.ts'
import { countUnderWay } from '#features/payouts/server/payouts.ts'
import { openReset } from './factor-reset-queries.ts'
import { lockCustomer } from './lock-customer.ts'
import { mergesInto } from './merge-queries.ts'
import type { Who } from './who.ts'

export type Accounts = { from: string; into: string }
export type Pair = { from: UserRow; into: UserRow }

/** Locks both accounts, in one order whichever of them is merged. Throws for a member's own account and, as `lockCustomer` says, for accounts of staff. */
export async function lockPair(
  tx: Tx,
  who: Pick<Who, 'actor'>,
  { from, into }: Accounts,
  staff?: { ownersMay: boolean },
): Promise<Pair> {
  if (from === into) throw new HttpError(409, [{ code: 'merge_same' }])
  for (const id of [from, into].toSorted()) await lockUser(tx, id)
  return { from: await lockCustomer(tx, who, from, staff), into: await lockCustomer(tx, who, into, staff) }
}

/**
 * Throws 409 with the reason for which two locked accounts cannot become one now, and locks the servers that go. Anything that is not settled stays
 * with the account that it belongs to: money that is on its way or waits for an approval, a debt, a withdrawal, a deletion, a block.
 */
export async function assertMergeable(app: App, tx: Tx, { from, into }: Pair): Promise<HostRow[]> {
  const ids = [from.id, into.id]
  if (from.access !== 'open' || into.access !== 'open') throw refused('merge_blocked')
  if ((await openReset(tx, from.id)) ?? (await openReset(tx, into.id))) throw refused('reset_pending')
  if (await isProposedFor(tx, contract.erasePermission.name, ids)) throw refused('merge_erasure')
  if ((await mergesInto(tx, from.id)).length > 0) throw refused('merge_merged')
  if (await hasWaitingWithdrawal(tx, from.id)) throw refused('merge_withdrawal')
  if (await isMoneyProposedFor(tx, from.id)) throw refused('merge_approval')
  if ((await countUnderWay(tx, from.id)) > 0) throw refused('merge_payout')
  const hosts = await lockAllToGive(tx, { from: from.id, to: into.id })
  await movable(app, tx, from.id)
  return hosts
}

/** Throws 409 `merge_undoable` for an account into which another one was merged, while that can be undone: what was merged would be gone with it. */
export async function assertNoneToUndo(tx: Tx, user_id: string): Promise<void> {
  if ((await mergesInto(tx, user_id)).some(({ is_open }) => is_open)) throw refused('merge_undoable')
}

const refused = (code: ErrorCode) => new HttpError(409, [{ code }])
