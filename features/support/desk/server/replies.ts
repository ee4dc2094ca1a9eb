import { lockByName, transaction } from '#foundation/server/database/transaction.ts'
import { notFound, HttpError } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { withIdempotencyKey } from '#foundation/server/idempotency/with-idempotency-key.ts'
import { changedTo } from '#foundation/versions.ts'
import * as contract from '#features/support/desk/contract.ts'
import { MOST_REPLIES } from '#features/support/desk/rules.ts'
import * as queries from './reply-queries.ts'

export const listReplies = handler(contract.listReplies, async ({ app }) => {
  const rows = await queries.repliesOf(app.db, MOST_REPLIES)
  return { status: 200, body: { items: rows.map(toCannedReply) } }
})

export const createReply = handler(contract.createReply, (call) => {
  const { actor, body } = call
  return withIdempotencyKey(
    contract.createReply,
    call,
    async (tx) => {
      // Counting and adding are one step under a lock, or two at once would exceed the limit together.
      await lockByName(tx, 'canned_replies')
      const row = await queries.insertReply(tx, { ...body, author_id: actor.user_id }, MOST_REPLIES)
      if (!row) throw new HttpError(409, [{ code: 'too_many_replies' }])
      return { status: 201, body: toCannedReply(row) } as const
    },
    'system',
  )
})

export const updateReply = handler(contract.updateReply, async ({ app, actor, params, body }) => {
  const { version, acts: change, ...fields } = body
  return transaction(app, 'system', async (tx) => {
    const before = await queries.lockReply(tx, params.replyId)
    if (!before) throw notFound()
    if (before.version !== version) return changedTo(toCannedReply(before))
    const acts = Object.fromEntries(
      Object.entries({ ...before.acts, ...change }).filter(([, act]) => act !== null && act !== undefined),
    )
    const row = await queries.updateReply(tx, params.replyId, { ...fields, acts, author_id: actor.user_id })
    return { status: 200, body: toCannedReply(row) } as const
  })
})

export const deleteReply = handler(contract.deleteReply, async ({ app, params }) => {
  const gone = await transaction(app, 'system', (tx) => queries.deleteReply(tx, params.replyId))
  if (!gone) throw notFound()
  return { status: 204 }
})

const toCannedReply = ({
  id,
  title,
  text,
  language,
  acts,
  changed_at,
  version,
}: queries.ReplyRow): contract.CannedReply => ({
  id,
  title,
  text,
  language,
  acts,
  changed_at: changed_at.toISOString(),
  version,
})
