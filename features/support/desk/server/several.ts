import { randomUUID } from 'node:crypto'
import { transaction } from '#foundation/server/database/transaction.ts'
import { isUnavailable } from '#foundation/server/database/unavailable.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import * as contract from '#features/support/desk/several-contract.ts'
import { UNDO_MINUTES } from '#features/support/desk/rules.ts'
import {
  applyUndoably,
  forgetUndone,
  lockTicket,
  ticketsToUndo,
  undoActs,
} from '#features/support/tickets/server/tickets.ts'

type Line = { id: string; done: boolean; error: contract.LineError | null }

/** Does acts on several tickets, each by itself: a line of the answer tells which could not be done, and why. */
export const actOnTickets = handler(contract.actOnTickets, async ({ app, actor, caller, body }) => {
  const { ids, acts } = body
  const act_id = randomUUID()
  const results: Line[] = []
  for (const id of new Set(ids))
    results.push(
      await lineOf(id, () =>
        transaction(app, 'system', async (tx) => {
          const row = await lockTicket(tx, id, actor)
          await applyUndoably(app, tx, row, acts, { actor, caller, act_id })
        }),
      ),
    )
  return { status: 200, body: { act_id, results } }
})

/** Undoes what a member of staff has just done to several tickets. Tickets that were changed since stay as they are. */
export const undoActOnTickets = handler(contract.undoActOnTickets, async ({ app, actor, caller, params }) => {
  const act = { act_id: params.actId, staff_id: actor.user_id, minutes: UNDO_MINUTES }
  const results: Line[] = []
  for (const id of await ticketsToUndo(app.db, act))
    results.push(
      await lineOf(id, () =>
        transaction(app, 'system', async (tx) => {
          const row = await lockTicket(tx, id, actor)
          await undoActs(app, tx, row, params.actId, { actor, caller })
        }),
      ),
    )
  return { status: 200, body: { act_id: params.actId, results } }
})

async function lineOf(id: string, work: () => Promise<void>): Promise<Line> {
  try {
    await work()
    return { id, done: true, error: null }
  } catch (error) {
    // The tickets before have changed already: their author needs the answer, by which they are undone.
    const refused = isUnavailable(error) ? 'unavailable' : codeOf(error)
    const known = contract.lineErrors.find((code) => code === refused)
    if (known === undefined) throw error
    return { id, done: false, error: known }
  }
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof HttpError ? (error.errors[0]?.code ?? 'not_found') : undefined

export const jobs: readonly Job[] = [
  cronJob(jobKind('forget_undone_acts', 'rest'), 3600, (app) => transaction(app, 'system', forgetUndone)),
]
