import { createHash } from 'node:crypto'
import { dayIn } from '#features/invoices/rules.ts'
import { accountsMoved, lockBalanceOf, spanOfMonth } from '#features/finance/server/finance.ts'
import { prepareDocuments } from '#features/invoices/server/invoices.ts'
import { canonicalJson } from '#foundation/canonical-json.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { draftOf } from './body.ts'
import * as queries from './queries.ts'
import { sealMonth } from './seal.ts'

// On the 1st, some time after the month: a statement is made once nothing that began in the month is being booked for its account.
const WAIT_MS = 3_600_000
const AT_ONCE = 500

/** Issues the statements of each month that is over and has none yet, oldest first. The job runs each hour; a run that was killed goes on. */
export async function issueStatements(app: App, now = new Date()): Promise<void> {
  for (;;) {
    const next = await monthToIssue(app, now)
    if (!next) return
    await issueMonth(app, next)
  }
}

/** The month that was begun and not sealed, or the one after the newest; the first time, the month that is over if anything was booked in it. */
async function monthToIssue(app: App, now: Date): Promise<queries.Month | undefined> {
  const newest = await queries.newestMonth(app.db)
  if (newest && newest.root === null) return newest
  const month = newest ? monthAfter(newest.month, 1) : monthAfter(monthOf(now, app.config.timeZone), -1)
  const { since, until } = await spanOfMonth(app.db, { month, time_zone: app.config.timeZone })
  if (until.getTime() + WAIT_MS > now.getTime()) return undefined
  // The span begins where the one before ended, also after the operator's time zone was changed.
  const span = { month, since: newest?.until ?? since, until }
  return newest || (await movedIn(app, span, null, 1)).length > 0 ? span : undefined
}

/** Issues statements of the last months that are over for these accounts alone: for example people, who come with a past. */
export async function issuePast(app: App, accounts: readonly string[], months: number): Promise<void> {
  const present = monthOf(new Date(), app.config.timeZone)
  for (let back = months; back > 0; back -= 1) {
    const month = monthAfter(present, -back)
    const span = { month, ...(await spanOfMonth(app.db, { month, time_zone: app.config.timeZone })) }
    await transaction(app, 'system', (tx) => queries.beginMonth(tx, span))
    for (const user_id of accounts) await writeOne(app, user_id, span)
    await sealMonth(app, month)
  }
}

/** Writes the statements of a month, an account a transaction, and then seals them together. */
async function issueMonth(app: App, span: queries.Month): Promise<void> {
  await transaction(app, 'system', (tx) => queries.beginMonth(tx, span))
  let after: string | null = null
  for (;;) {
    const accounts = await movedIn(app, span, after, AT_ONCE)
    for (const user_id of accounts) await writeOne(app, user_id, span)
    after = accounts.at(-1) ?? null
    if (accounts.length < AT_ONCE) break
  }
  await sealMonth(app, span.month)
}

const movedIn = (app: App, { since, until }: queries.Month, after: string | null, limit: number) =>
  accountsMoved(app.db, { since, until, currency: app.config.currency, after, limit })

async function writeOne(app: App, user_id: string, span: queries.Month): Promise<void> {
  const unmade = await write(app, user_id, span, { needsFiles: true })
  if (unmade.length === 0) return
  for (const public_id of unmade)
    // A document that cannot be drawn holds up nobody's statement: it is in it without a hash.
    await prepareDocuments(app, user_id, public_id).catch((error: unknown) =>
      app.log.error({ error, document: public_id }, 'a document of a statement could not be drawn'),
    )
  await write(app, user_id, span, { needsFiles: false })
}

/** Writes the statement of an account, and returns nothing; or writes nothing and returns the documents whose files must be made first. */
const write = (
  app: App,
  user_id: string,
  span: queries.Month,
  { needsFiles }: { needsFiles: boolean },
): Promise<string[]> =>
  transaction(app, 'system', async (tx) => {
    // The lock waits for what is being booked, and for the deletion of the account, after which there is no statement.
    await lockBalanceOf(app, tx, user_id)
    const user = await findUser(tx, user_id)
    const newest = await queries.newestOf(tx, user_id)
    if (!user?.is_active || (newest && newest.month >= span.month)) return []
    const draft = await draftOf(app, tx, user_id, span)
    if (!draft) return []
    if (needsFiles && draft.unmade.length > 0) return draft.unmade
    const body = canonicalJson(draft.body)
    const hash = createHash('sha256').update(body).digest('hex')
    const { first_seq, last_seq } = draft
    await queries.insertStatement(tx, { user_id, month: span.month, first_seq, last_seq, body, hash })
    return []
  })

const monthOf = (at: Date, timeZone: string): string => dayIn(at, timeZone).slice(0, 7)

/** The month that lies some months after another (before it, if negative). */
function monthAfter(month: string, months: number): string {
  const at = new Date(`${month}-01T00:00:00Z`)
  at.setUTCMonth(at.getUTCMonth() + months)
  return at.toISOString().slice(0, 7)
}
