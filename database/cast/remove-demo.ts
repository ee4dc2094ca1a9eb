import { hashVoucherCode } from '#features/finance/server/finance.ts'
import type { App } from '#foundation/server/app.ts'
import { recordAct } from '#foundation/server/audit/audit.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { plans } from './plans.ts'
import * as queries from './removal-queries.ts'
import { asStoryteller } from './storyteller.ts'
import { vouchers } from './vouchers.ts'

export type Removed = {
  /** The addresses of the accounts that went. */
  emails: string[]
  /** Example plans that were changed or sold, and so are the operator's own by now. */
  keptPlans: string[]
}

/**
 * Removes the example people with all that is theirs: servers, tickets, files, bookings, invoices, and the vouchers and
 * plans of the example shop (rule 39). The books are append-only, so this takes the owner's right, and only books that
 * hold nothing else: throws Error where others have bookings too, because what is real may never be rewritten.
 */
export async function removeDemo(app: App): Promise<Removed> {
  return asStoryteller(app, (owner) =>
    transaction(owner, 'system', async (tx) => {
      const emails = await queries.exampleEmails(tx)
      const bookings = await queries.countOthersBookings(tx)
      if (emails.length > 0 && bookings > 0) throw new Error(mixed(bookings))
      await queries.deleteExamples(tx)
      await queries.resetInvoiceNumbers(tx)
      for (const { code } of vouchers) await queries.deleteVoucher(tx, hashVoucherCode(app, code))
      const keptPlans = await queries.deletePlans(tx, plans)
      const detail = { by: 'command line', accounts: emails.length }
      await recordAct(tx, { user_id: null, act: 'demo.removed', detail })
      return { emails, keptPlans }
    }),
  )
}

const mixed = (bookings: number) =>
  `${bookings} bookings, invoices, orders or top-ups of other customers stand in one ledger with the example ones, and books are never rewritten. Nothing was removed. Begin with an empty database: set DATABASE_URL or DATA_DIR to a new one.`
