import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { LineDescription, Note } from '#features/invoices/contract.ts'
import type { VatKind } from '#features/invoices/rules.ts'

export type VatDecision = { rate_bp: bigint; kind: VatKind; country: string; evidence: VatEvidence }
export type VatEvidence = Record<string, string>

export type InvoiceLine = {
  description: LineDescription
  quantity: bigint
  /** Of one, in minor units. */
  net: bigint
  period?: { starts_at: Date; ends_at: Date }
}
export type Issued = { id: bigint; public_id: string; number: string; net: bigint; vat: bigint; total: bigint }

/** Which VAT this customer pays now. `db` is `app.db` or an open transaction. */
export declare function vatFor(app: App, db: App['db'], user_id: string): Promise<VatDecision>

/** What an invoice over these nets will ask for, before there is one: prices in the shop are made with it. */
export declare function totalsOf(nets: readonly bigint[], rate_bp: bigint): { net: bigint; vat: bigint; total: bigint }

/** LAST before the commit: it locks the year's counter. */
export declare function issueInvoice(app: App, tx: Tx, wanted: {
  user_id: string
  transaction_id: string
  lines: readonly InvoiceLine[]
  vat: VatDecision
  host_id?: string
  notes?: readonly Note[]
}): Promise<Issued>

/** `amount` is gross; all that is left of the invoice unless said. Also by the reaction to finance's `refunded`. */
export declare function creditNote(app: App, tx: Tx, wanted: {
  user_id: string
  transaction_id: string
  refund_transaction_id: string
  amount?: bigint
  reason: string
}): Promise<Issued>
