import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { WARNED_DAYS } from '#features/methods/rules.ts'
import { mailMethodEnds } from './mails.ts'
import * as queries from './queries.ts'

/** The mails of one transaction, at most. */
const AT_ONCE = 200

/** Tells the customers of the cards that end within so many days, each card once for each of the days. */
export async function warnOfEnds(app: App): Promise<void> {
  for (const days of WARNED_DAYS) while ((await warn(app, days)) === AT_ONCE);
}

const warn = (app: App, days: number): Promise<number> =>
  transaction(app, 'system', async (tx) => {
    const ending = await queries.takeWarned(tx, days, AT_ONCE)
    for (const method of ending) await mailMethodEnds(app, tx, method)
    return ending.length
  })
