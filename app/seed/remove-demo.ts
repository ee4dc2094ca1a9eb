import { closeLeftMoney, hashVoucherCode } from '#features/finance/server/finance.ts'
import { eraseAccount } from '#features/profile/server/profile.ts'
import type { App } from '#foundation/server/app.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import { commandLine } from '#foundation/server/command-line.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { Refused } from '#foundation/server/operator-errors.ts'
import { plans } from './plans.ts'
import { withdrawUnchanged } from './help-removal-queries.ts'
import { program } from './program.ts'
import * as queries from './removal-queries.ts'
import { asDatabaseOwner } from './as-owner.ts'
import { helpSlugs } from './seed-help.ts'
import { promo, vouchers } from './vouchers.ts'

export type Removed = {
  /** The addresses of the removed accounts. */
  emails: string[]
  /** The example plans that stay: they were changed or sold, so they are the operator's own by now. */
  keptPlans: string[]
  /** How many articles of the help centre were withdrawn, because nobody had changed them. */
  withdrawnArticles: number
}

/**
 * Removes the example people with all that is theirs: servers, tickets, files, bookings, invoices, and the vouchers,
 * promo code, plans and program of the example shop (rule 39). The books are append-only, so this runs as the owner of the database. Throws
 * Refused if anybody else has bookings, because real books may never be rewritten.
 */
export async function removeDemo(app: App): Promise<Removed> {
  return asDatabaseOwner(app, (owner) =>
    transaction(owner, 'system', async (tx) => {
      const emails = await queries.exampleEmails(tx)
      const others = await queries.othersWithBookings(tx)
      if (emails.length > 0 && others.length > 0) throw new Refused(mixed(others))
      await queries.deleteExamples(tx)
      await queries.resetInvoiceNumbers(tx)
      await queries.endAnswerTimes(tx)
      for (const { code } of vouchers) await queries.endVoucher(tx, hashVoucherCode(app, code))
      await queries.endPromo(tx, promo.code)
      const keptPlans = await queries.deletePlans(tx, plans)
      await queries.deleteProduct(tx, program.slug)
      const withdrawnArticles = await withdrawUnchanged(tx, helpSlugs())
      const detail = { by: 'command line', accounts: emails.length }
      await recordAction(tx, { user_id: null, act: 'demo.removed', detail })
      return { emails, keptPlans, withdrawnArticles }
    }),
  )
}

/**
 * Retires the example people of a shop that also has real bookings. Their accounts are erased as if their owners had deleted
 * them, so nobody can sign in to them again, and the books stay whole. The example vouchers and promo code end: everybody knows
 * them.
 */
export async function retireDemo(app: App): Promise<Removed> {
  return asDatabaseOwner(app, (owner) =>
    transaction(owner, 'system', async (tx) => {
      const people = await queries.examplePeople(tx)
      for (const { id } of people) {
        await eraseAccount(owner, tx, id)
        await closeLeftMoney(tx, id)
      }
      await queries.forgetExamples(tx)
      for (const { code } of vouchers) await queries.endVoucher(tx, hashVoucherCode(app, code))
      await queries.endPromo(tx, promo.code)
      const keptPlans = await queries.deletePlans(tx, plans)
      await queries.deleteProduct(tx, program.slug)
      const withdrawnArticles = await withdrawUnchanged(tx, helpSlugs())
      const detail = { by: 'command line', accounts: people.length }
      await recordAction(tx, { user_id: null, act: 'demo.retired', detail })
      return { emails: people.map(({ email }) => email), keptPlans, withdrawnArticles }
    }),
  )
}

const MOST_NAMED = 5

function mixed(others: readonly string[]): string {
  const named = others.slice(0, MOST_NAMED).join(', ')
  const more = others.length > MOST_NAMED ? ` and ${others.length - MOST_NAMED} more` : ''
  return `Nothing was removed: ${named}${more} have bookings, invoices, orders or top-ups in the same books as the example people, and books are never rewritten. To erase the example people and keep all books, run: ${commandLine('demo retire')}. To have books without them, begin with an empty database: set DATABASE_URL or DATA_DIR to a new one.`
}
