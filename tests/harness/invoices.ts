import { randomUUID } from 'node:crypto'
import {
  creditNote as writeCreditNote,
  creditOf,
  lockCredited,
  prepareInvoice,
  vatFor,
  vatOver,
  type PreparedInvoice,
} from '#features/invoices/server/invoices.ts'

import type { App } from '#foundation/server/app.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'

type Wanted = { nets?: readonly bigint[]; transaction_id?: string; issued_at?: Date }

/** Issues an invoice as an order would, in a transaction of its own; `nets` are the net prices of its lines. */
export const issuedInvoice = (app: App, user_id: string, wanted: Wanted = {}): Promise<Issued> =>
  transaction(app, { userId: user_id }, (tx) => issueIn(app, tx, user_id, wanted))

type Issued = Awaited<ReturnType<PreparedInvoice['issue']>>

export async function issueIn(app: App, tx: Tx, user_id: string, wanted: Wanted = {}): Promise<Issued> {
  const { nets = [1_990n], transaction_id = randomUUID(), issued_at } = wanted
  const invoice = await prepareInvoice(app, tx, {
    user_id,
    transaction_id,
    gift: 0n,
    vat: vatOver(
      await vatFor(app, tx, user_id),
      nets.reduce((sum, net) => sum + net, 0n),
    ),
    lines: nets.map((net) => ({
      description: { code: 'licence_order', params: { host: 'brave-otter-42', plan: 'Standard' } },
      quantity: 1n,
      net,
      period: { starts_at: new Date('2026-11-21T10:00:00Z'), ends_at: new Date('2026-12-21T10:00:00Z') },
    })),
    ...(issued_at ? { issued_at } : {}),
  })
  return invoice.issue()
}

type Refund = {
  user_id: string
  transaction_id: string
  refund_transaction_id: string
  amount?: bigint
  reason?: string
  cause?: 'refund' | 'upgrade'
}

/** Writes a credit note as a refund would; undefined if the transaction paid no invoice of this customer. */
export async function creditNote(app: App, tx: Tx, refund: Refund): Promise<PreparedInvoice | undefined> {
  const { user_id, transaction_id, refund_transaction_id, ...said } = refund
  const credited = await lockCredited(tx, { user_id, transaction_id })
  if (!credited) return undefined
  const note = { ...said, transaction_id: refund_transaction_id }
  return writeCreditNote(app, tx, credited, creditOf(credited, said), note)
}
