import { toMoney, decimalText } from '#foundation/money.ts'
import { approvalsBefore } from '#foundation/server/approvals/queries.ts'
import { findUser } from '#foundation/server/session/session.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import type { Options } from './options.ts'
import { linesOf, MOST, pageBy, rowsOf } from './pages.ts'
import { withApp } from './with-app.ts'

type Place = readonly [waiting: string, at: string, id: string]

/** `approval list`: the newest 100, or all. No command decides about them, because the command line does not know who uses it. */
export async function listWaiting(surroundings: CommandEnvironment, options: Options): Promise<Answer> {
  return await withApp(surroundings, async (app) => {
    const { rows, has_more } = await rowsOf(options, async (before: Place | undefined) => {
      const found = await approvalsBefore(app.db, { status: 'proposed' }, { before, limit: MOST + 1 })
      return pageBy(found, ({ proposed_at, id }): Place => ['true', proposed_at.toISOString(), id])
    })
    const emailOf = async (id: string) => (await findUser(app.db, id))?.email ?? id
    const { currency } = app.config
    const approvals = await Promise.all(
      rows.map(async ({ id, act, why, amount, reason, customer_id, proposed_by, expires_at }) => ({
        id,
        act,
        why,
        amount: amount === null ? null : decimalText(toMoney(amount, currency)),
        currency,
        customer: customer_id === null ? null : await emailOf(customer_id),
        proposed_by: await emailOf(proposed_by),
        reason,
        expires_at: expires_at.toISOString(),
      })),
    )
    const lines = approvals.map(
      ({ act, amount, currency, customer, proposed_by, expires_at, reason }) =>
        `${act}${amount === null ? '' : ` ${amount} ${currency}`}${customer === null ? '' : ` for ${customer}`}, asked by ${proposed_by}, until ${expires_at}: ${reason}`,
    )
    return { lines: linesOf(lines, 'Nothing waits.', has_more), data: { approvals, has_more } }
  })
}
