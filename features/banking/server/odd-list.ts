import type { Act } from '#texts/acts.js'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { handler, type Call } from '#foundation/server/http/handler.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import { publishToStaff } from '#foundation/server/realtime/publish.ts'
import * as contract from '#features/banking/contract.ts'
import type { BankOddPart } from '#features/banking/contract.ts'
import type { OddState } from '#features/banking/rules.ts'
import * as queries from './odd-queries.ts'

/** Answers `GET /api/staff/bank-odd-parts/`. */
export const listOddParts = handler(contract.listBankOddParts, async ({ app, query }) => {
  const { limit, cursor, state } = query
  const [at, id] = placeIn(cursor, [placeKinds.time, placeKinds.uuid]) ?? []
  const after = at !== undefined && id !== undefined ? { at, id } : undefined
  const [rows, counts] = await Promise.all([
    queries.listOddParts(app.db, { state, after, limit: limit + 1 }),
    queries.countOddParts(app.db),
  ])
  const page = pageFrom(rows, limit, (row) => [row.noticed_at.toISOString(), row.id], oddReply)
  return { status: 200, body: { ...page, ...counts } }
})

/** Answers `POST …/bank-odd-parts/{partId}/done/`. */
export const finishOddPart = handler(contract.finishBankOddPart, (call) =>
  setState(call, 'done', 'bank.odd_done'),
)

/** Answers `DELETE …/bank-odd-parts/{partId}/done/`. */
export const reopenOddPart = handler(contract.reopenBankOddPart, (call) =>
  setState(call, 'open', 'bank.odd_reopened'),
)

type ById = Pick<Call<typeof contract.finishBankOddPart>, 'app' | 'actor' | 'caller' | 'params'>

function setState({ app, actor, caller, params: { partId } }: ById, state: OddState, act: Act) {
  return transaction(app, 'system', async (tx) => {
    const by = state === 'done' ? actor.user_id : null
    const row = await queries.setOddState(tx, partId, { state, by })
    if (!row) {
      if (await queries.hasOddPart(tx, partId)) throw new HttpError(409, [{ code: 'odd_part_changed' }])
      throw notFound()
    }
    const detail = { by: actor.user_id, odd_part_id: partId }
    await recordAction(tx, { user_id: null, act, ...originOf(caller), detail })
    await publishToStaff(tx, { type: contract.BANK_LINES_CHANGED })
    return { status: 200, body: oddReply(row) } as const
  })
}

const oddReply = ({
  id,
  kind,
  reason,
  source,
  place,
  shown,
  state,
  file_name,
  noticed_at,
}: queries.OddRow): BankOddPart => ({
  id,
  kind,
  reason,
  file_name,
  source,
  place,
  shown,
  state,
  noticed_at: noticed_at.toISOString(),
})
