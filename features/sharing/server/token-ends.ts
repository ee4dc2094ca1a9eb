import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction, type Origin } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { notFound } from '#foundation/server/http/http-error.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import { SHARING_CHANGED } from '#features/sharing/contract.ts'
import { TOKEN_WARNINGS_DAYS } from '#features/sharing/rules.ts'
import * as contract from '#features/sharing/token-contract.ts'
import { mailTokenEnded, mailTokenEnds } from './token-mails.ts'
import { tokenReply } from './replies.ts'
import * as queries from './token-queries.ts'

type End = {
  why: queries.EndedWhy
  /** Undefined where the id alone finds the token. */
  owner_id?: string | undefined
  origin?: Origin
  /** The one that ends it, if it is not the owner. */
  by?: string
  reason?: string
}

/**
 * Ends a token at once; actions that run by it finish first. The owner is mailed unless they end it themselves. Returns false where the
 * owner has no such token.
 */
export async function endToken(app: App, id: string, end: End): Promise<boolean> {
  return transaction(app, 'system', async (tx) => {
    const token = await queries.lockToken(tx, id)
    if (!token || (end.owner_id !== undefined && token.owner_id !== end.owner_id)) return false
    await endLocked(app, tx, token, end)
    return true
  })
}

async function endLocked(
  app: App,
  tx: Tx,
  token: queries.TokenRow,
  { why, origin, by, reason }: End,
): Promise<void> {
  const { id, owner_id, name } = token
  await queries.endToken(tx, id, why)
  const who = by ?? (why === 'owner' ? owner_id : 'system')
  const detail = { grant_id: id, name, why, by: who, ...(reason && { reason }) }
  await recordAction(tx, { user_id: owner_id, act: 'token.ended', ...origin, detail })
  if (why !== 'owner') await mailTokenEnded(app, tx, token, why)
  await publish(tx, owner_id, { type: SHARING_CHANGED })
}

/** Ends those of these tokens of an owner that open no server any more: the owner has given it away. */
export async function endEmptied(app: App, tx: Tx, owner_id: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  for (const token of await queries.tokensOf(tx, owner_id))
    if (ids.includes(token.id) && token.host_ids.length === 0)
      await endLocked(app, tx, token, { why: 'transfer', by: owner_id })
}

/** Ends a token by the command line. */
export const endTokenForOperator = (app: App, id: string, reason: string): Promise<boolean> =>
  endToken(app, id, { why: 'staff', by: 'command line', reason })

/** Ends the tokens that are past their end, and warns the owners of those that will be. Their calls are refused from the end on. */
export async function endTokensInTime(app: App): Promise<void> {
  for (const id of await queries.tokensPastEnd(app.db)) await endToken(app, id, { why: 'expired' })
  await transaction(app, 'system', async (tx) => {
    for (const days of TOKEN_WARNINGS_DAYS)
      for (const id of await queries.takeWarned(tx, days)) {
        const token = await queries.findToken(tx, id)
        if (token) await mailTokenEnds(app, tx, token)
      }
  })
}

/** Answers `GET /api/staff/customers/{userId}/tokens/`. */
export const listOf = handler(contract.listTokensOf, async ({ app, params: { userId } }) => {
  const rows = await queries.tokensOf(app.db, userId)
  return { status: 200, body: { items: rows.map((row) => tokenReply(app, row)) } }
})

/** Answers `DELETE /api/staff/customers/{userId}/tokens/{tokenId}/`. */
export const endOf = handler(
  contract.endTokenOf,
  async ({ app, actor, caller, params, query: { reason } }) => {
    const { userId: owner_id, tokenId } = params
    const ended = await endToken(app, tokenId, {
      why: 'staff',
      owner_id,
      origin: originOf(caller),
      by: actor.user_id,
      reason,
    })
    if (!ended) throw notFound()
    return { status: 204 } as const
  },
)
