import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { lockByName, transaction } from '#foundation/server/database/transaction.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { publishToStaff } from '#foundation/server/realtime/publish.ts'
import { changedTo } from '#foundation/versions.ts'
import * as contract from '#features/support/desk/absence-contract.ts'
import * as queries from './absence-queries.ts'

export const setAbsence = handler(contract.setAbsence, ({ app, actor, caller, body }) => {
  const { timeZone } = app.config
  return transaction(app, 'system', async (tx) => {
    // Reading and writing are one step under a lock: of two tabs that both saw none, one is told of the other.
    await lockByName(tx, `absence ${actor.user_id}`)
    const present = (await queries.absencesNow(tx, timeZone)).get(actor.user_id)
    if ((present?.until ?? null) !== body.from) return changedTo(present ?? null)
    const wanted = { staff_id: actor.user_id, until: body.until, note: body.note ?? '' }
    const absence = await queries.saveAbsence(tx, wanted, timeZone)
    if (!absence) throw badRequest('past_time', 'until')
    await publishToStaff(tx, { type: contract.ABSENCES })
    await recordAction(tx, {
      user_id: null,
      act: 'desk.absence_set',
      ...originOf(caller),
      detail: { by: actor.user_id, until: absence.until },
    })
    return { status: 200, body: absence } as const
  })
})

/** Ends the absence of the caller; there need not be one. */
export const endAbsence = handler(contract.endAbsence, ({ app, actor, caller }) =>
  transaction(app, 'system', async (tx) => {
    const until = await queries.deleteAbsence(tx, actor.user_id)
    if (until === undefined) return { status: 204 } as const
    await publishToStaff(tx, { type: contract.ABSENCES })
    await recordAction(tx, {
      user_id: null,
      act: 'desk.absence_ended',
      ...originOf(caller),
      detail: { by: actor.user_id, until },
    })
    return { status: 204 } as const
  }),
)
