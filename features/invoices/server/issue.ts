import { fullName } from '#features/profile/rules.ts'
import { billingDetails } from '#features/profile/server/profile.ts'
import { record } from '#foundation/server/account-events/record.ts'
import type { App } from '#foundation/server/app.ts'
import type { Locale } from '#foundation/locale.ts'
import type { Company } from './company.ts'
import { lastly, type Tx } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { enqueue } from '#foundation/server/jobs/jobs.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { randomId } from '#foundation/server/random-id.ts'
import { creditNoteIssued, invoiceIssued } from '#features/invoices/event-contract.ts'
import type { Buyer, LineDescription, Note, Reduction, Seller } from '#features/invoices/shapes.ts'
import { loweredBy, totalsOf, type Amounts } from './amounts.ts'
import { requireSeller } from './billing-address.ts'
import { billingOf } from './billing-queries.ts'
import { keptYears } from './keeping.ts'
import { askAtSale } from './ask-at-sale.ts'
import { findInvoice, issuedReply, type Credited } from './read.ts'
import * as queries from './queries.ts'
import { smallBusinessNote } from './small-business.ts'
import { stateVatNotes } from './state-currency.ts'
import { leftBelowThreshold } from './threshold.ts'
import type { VatDecision } from './vat-decision.ts'

export type InvoiceLine = {
  description: LineDescription
  quantity: bigint
  /** The net price of one unit, in minor units. */
  net: bigint
  /** The net amount that is taken off the line, and why. */
  allowance?: { amount: bigint; reduction: Reduction }
  /** The paid period: from the first time to the second, exclusive. */
  period?: { starts_at: Date; ends_at: Date }
}

/** An invoice that has all but its number. `gift` is the part of the price that a gift has paid (gross): the total is without it. */
export type PreparedInvoice = Amounts & {
  public_id: string
  gift: bigint
  /**
   * Takes the number and writes the invoice, for a reply that shows it; call it after everything else in the
   * transaction. Without the call, the invoice is written right before the commit.
   */
  issue: () => Promise<queries.IssuedInvoice>
}

/**
 * Prepares an invoice that is paid at once, by `transaction_id`, whose amount must be the total that `totalsOf` computes; the part `gift` of it
 * lowers the invoice (decision 151). Seller and buyer
 * are copied as they are now. The number is taken at the end of the transaction: it locks the year's counter, on which every other invoice
 * waits until the commit. A job that runs after the commit makes the documents and mails them. `issued_at` is for demo data only; `notes`
 * are printed.
 */
export async function prepareInvoice(
  app: App,
  tx: Tx,
  wanted: {
    user_id: string
    transaction_id: string
    lines: readonly InvoiceLine[]
    vat: VatDecision
    gift: bigint
    host_id?: string | null
    notes?: readonly Note[]
    /** The buyer's reference for this order alone. */
    order_reference?: string | undefined
    issued_at?: Date
  },
): Promise<PreparedInvoice> {
  const { user_id, vat } = wanted
  const lines = wanted.lines.map(pricedLine)
  const price = totalsOf(
    lines.map((line) => line.price),
    vat.rate_bp,
  )
  const { money, gift } = loweredBy(price, wanted.gift, vat.rate_bp)
  if (vat.above && money.net > vat.above.left) throw new Error('this sale passes the threshold')
  const user = await findUser(tx, user_id)
  const details = await billingDetails(tx, user_id)
  const billing = await billingOf(tx, user_id)
  if (!user || !details) throw new Error('there is nobody to write an invoice to')
  await askAtSale(app, tx, { user, vat, at: wanted.issued_at })
  return prepareDocument(app, tx, user, {
    user_id,
    kind: 'invoice',
    credit_note_of: null,
    transaction_id: wanted.transaction_id,
    version: 1,
    host_id: wanted.host_id ?? null,
    issued_at: wanted.issued_at ?? null,
    ...money,
    gift: gift.total,
    allowance: gift.net,
    vat_kind: vat.kind,
    vat_country: vat.country,
    vat_rate_bp: vat.rate_bp,
    below_threshold: vat.below_threshold ?? false,
    buyer: buyerOf(details, user.email),
    notes: [
      ...notesOf(vat, app.config.company),
      ...(await stateVatNotes(app, tx, { vat: money.vat, at: wanted.issued_at ?? new Date() })),
      { code: 'paid', params: {} },
      ...(wanted.notes ?? []),
    ],
    buyer_reference: billing.buyer_reference,
    order_reference: wanted.order_reference || billing.order_reference,
    evidence: vat.evidence,
    lines,
  })
}

/** Prepares an invoice or a credit note: the steps that both share. The mail is written when the documents are made. */
export async function prepareDocument(
  app: App,
  tx: Tx,
  user: { locale: Locale; is_active: boolean },
  invoice: Omit<queries.NewInvoice, 'public_id' | 'seller' | 'currency' | 'locale'>,
  { mail: isMailed = true, credited }: { mail?: boolean; credited?: Credited } = {},
): Promise<PreparedInvoice> {
  requireSeller(app)
  const { company } = app.config
  const public_id = randomId()
  const { user_id, net, vat, total, gift } = invoice
  const { currency } = app.config
  const { locale } = user
  enqueue(tx, INVOICE_ISSUED, { user_id, public_id }, { key: `invoice:${public_id}` })
  const mail = isMailed && user.is_active && invoice.issued_at === null
  const documents = { key: `documents:${public_id}` }
  enqueue(tx, MAKE_DOCUMENTS, { user_id, public_id, mail }, documents)
  const late = { key: `invoice_mail:${public_id}`, after_s: LATEST_MAIL_s }
  if (mail) enqueue(tx, MAIL_INVOICE, { user_id, public_id }, late)
  let issued: Promise<queries.IssuedInvoice> | undefined
  const issue = () =>
    (issued ??= insertBelowThreshold(app, tx, {
      ...invoice,
      public_id,
      locale,
      currency,
      seller: sellerOf(company),
      time_zone: app.config.timeZone,
      prefix: company.invoicePrefix,
      kept_years: keptYears(company.country, invoice.vat_kind),
    }))
  lastly(tx, 'number', async () => void (await issue()))
  // A document is told as it was written; one that a reissue wrote refers to others, and is read.
  const isFirst = invoice.version === 1
  const read = async () =>
    isFirst ? issuedReply(app, await issue(), credited) : findInvoice(app, tx, user_id, public_id)
  const kind = invoice.kind === 'invoice' ? invoiceIssued : creditNoteIssued
  record(tx, user_id, kind, read, { host: invoice.host_id })
  return { public_id, net, vat, total, gift, issue }
}

/**
 * Writes a document, and takes the whole transaction back if others have passed the threshold since its VAT was decided: the counter is
 * locked now, so that the sum is exact. The transaction runs again, and decides anew (rule 46 judges the price).
 */
async function insertBelowThreshold(
  app: App,
  tx: Tx,
  invoice: Parameters<typeof queries.insertInvoice>[1],
): Promise<queries.IssuedInvoice> {
  const issued = await queries.insertInvoice(tx, invoice)
  if (invoice.below_threshold && invoice.kind === 'invoice' && invoice.version === 1) {
    const left = await leftBelowThreshold(app, tx, { at: issued.issued_at })
    if (left < 0n) throw Object.assign(new Error('the threshold was passed meanwhile'), { code: '40001' })
  }
  return issued
}

/** The job that publishes the event to open pages. */
export const INVOICE_ISSUED = jobKind('invoice_issued', 'rest')

/** The job that draws the documents for download, and mails them. */
export const MAKE_DOCUMENTS = jobKind('make_documents', 'heavy')

/** The job that mails a link if the documents are not ready in time. */
export const MAIL_INVOICE = jobKind('mail_invoice', 'money')
const LATEST_MAIL_s = 60

/** Returns the notes that the law demands for a kind of VAT, of a seller in this country. */
export function notesOf({ kind }: Pick<VatDecision, 'kind'>, { country }: Pick<Company, 'country'>): Note[] {
  if (kind === 'small_business') return [smallBusinessNote(country)]
  return kind === 'reverse_charge' || kind === 'outside_eu' ? [{ code: kind, params: {} }] : []
}

const pricedLine = ({ description, quantity, net, allowance, period }: InvoiceLine): queries.Line => ({
  description,
  quantity,
  cost: net,
  allowance: allowance?.amount ?? 0n,
  reduction: allowance?.reduction ?? null,
  price: quantity * net - (allowance?.amount ?? 0n),
  starts_at: period?.starts_at ?? null,
  ends_at: period?.ends_at ?? null,
})

const sellerOf = ({ name, street, zip, city, country, ...company }: Company): Seller => ({
  name,
  street,
  zip,
  city,
  country,
  email: company.email,
  phone: company.phone,
  vat_id: company.vatId,
  tax_number: company.taxNumber,
  register: company.register,
  iban: company.iban,
  bic: company.bic,
})

type Details = NonNullable<Awaited<ReturnType<typeof billingDetails>>>

export const buyerOf = (details: Details, email: string): Buyer => ({
  name: fullName(details),
  company: details.company,
  street: details.address,
  apartment: details.apartment,
  zip: details.zip,
  city: details.city,
  state: details.state,
  country: details.country,
  email,
  vat_id: details.vat_id,
})
