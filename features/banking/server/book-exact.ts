import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import type { Caller } from '#foundation/server/http/caller.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { enqueue } from '#foundation/server/jobs/jobs.ts'
import { publishToStaff } from '#foundation/server/realtime/publish.ts'
import { transfersCalled } from '#features/finance/server/finance.ts'
import { mayBeOne } from '#features/profile/server/profile.ts'
import * as contract from '#features/banking/contract.ts'
import { book } from './booking.ts'
import * as queries from './queries.ts'

export const BOOK_EXACT = jobKind('book_exact_lines', 'money')

/** Answers `POST /api/staff/bank-lines/booking/`. */
export const bookExactLines = handler(contract.bookExactLines, async ({ app, actor, caller }) => {
  return transaction(app, 'system', async (tx) => {
    const { exact } = await queries.countOpen(tx)
    if (exact > 0)
      enqueue(
        tx,
        BOOK_EXACT,
        { by: actor.user_id, ...originOf(caller) },
        { key: `book_exact:${actor.user_id}` },
      )
    return { status: 202, body: { lines: exact } } as const
  })
})

/** `by` is the id of the member of staff who asked, or null for the command line; the rest is the origin of the request. */
type Booking = { by: string | null } & Partial<Pick<Caller, 'ip' | 'user_agent' | 'request_id'>>

const AT_ONCE = 100

/** Books every exact payment, each in a transaction of its own: an interrupted run continues where it stopped. */
export async function bookExact(app: App, booking: Booking): Promise<void> {
  const seen = new Set<string>()
  for (;;) {
    const ids = (await queries.exactLines(app.db, seen.size + AT_ONCE)).filter((id) => !seen.has(id))
    if (ids.length === 0) break
    for (const id of ids) {
      seen.add(id)
      await transaction(app, 'system', (tx) => bookOne(app, tx, id, booking))
    }
    await announce(app)
  }
}

/** Books a payment, but leaves it to a person if it is no longer exact, or its account shares facts with the member of staff who asked. */
async function bookOne(app: App, tx: Tx, id: string, { by, ...origin }: Booking): Promise<void> {
  const line = await queries.lockLine(tx, id)
  if (!line || line.state !== 'open' || line.match !== 'exact' || line.top_up === null) return
  const [transfer] = await transfersCalled(tx, [line.top_up])
  if (!transfer || transfer.paid)
    return queries.updateLine(tx, id, { match: 'ambiguous', cause: 'paid_before' })
  const { user_id } = transfer
  if (by !== null && (await mayBeOne(app, tx, by, user_id))) return
  await book(app, tx, line, { user_id: transfer.user_id, top_up: transfer.id })
  const detail = { by: by ?? 'command line', line_id: id }
  await recordAction(tx, { user_id: transfer.user_id, act: 'bank.booked', ...origin, detail })
}

/** Publishes that payments were booked. */
export const announce = (app: App): Promise<void> =>
  transaction(app, 'system', (tx) => publishToStaff(tx, { type: contract.BANK_LINES_CHANGED }))
