import * as z from 'zod/mini'
import { route, liveEvent } from '#foundation/contract.ts'
import { waitingReply } from '#foundation/approvals.ts'
import { identifier, moment, newEmail, requiredText, text } from '#foundation/fields.ts'
import { idempotencyKey } from '#foundation/idempotency.ts'
import { money } from '#foundation/money.ts'
import { pageOf, pageQuery } from '#foundation/paging.ts'
import { count, day, named, time, uuidText } from '#foundation/printed.ts'
import { permission, staff } from '#foundation/roles.ts'
import { changedReply } from '#foundation/versions.ts'
import { transaction } from '#features/finance/contract.ts'
import { fieldLengths } from '#features/profile/contract.ts'
import { plainVatId } from '#features/profile/rules.ts'
import { seeMoney } from '#foundation/capability.ts'
import { explained } from './explained.ts'
import { openPlace, placeCode, placeStatus } from './place-contract.ts'
import { REFERENCE_LENGTH, formats, invoiceKinds, reissueVats, treatments, vatKinds } from './rules.ts'
import { buyer, documentNote, line, reissuedBuyer, seller, sums, vatStatus } from './shapes.ts'

/** Invoices and credit notes (row F-02): read only, for an issued invoice never changes. */

const optionalEmail = z.union([z.literal(''), newEmail()])

const summary = {
  /** The public id, 22 random characters. */
  id: z.string(),
  number: z.string(),
  /** On a credit note all amounts are positive too; they were refunded. */
  kind: z.enum(invoiceKinds),
  /** True for a credit note over the whole of its invoice. */
  cancels: z.boolean(),
  /** An invoice is paid at once from the balance; it is void once credit notes have refunded all of it. */
  status: z.enum(['issued', 'paid', 'void']),
  issued_at: time(),
  /** The date of the document: the day in the time zone of the company. */
  issued_on: day(),
  due_at: time(),
  net: money,
  vat: money,
  total: money,
  /** True for a document of an account that was merged into the reader's; it names that account's buyer. Lists only. */
  is_merged: z.optional(z.boolean()),
}

/** An invoice as lists show it. */
export const invoiceSummary = z.strictObject(summary)
named('InvoiceSummary', invoiceSummary)
export type InvoiceSummary = z.infer<typeof invoiceSummary>

const reference = z.strictObject({ id: z.string(), number: z.string() })

export const invoice = z.strictObject({
  ...summary,
  from: seller,
  to: buyer,
  lines: z.array(line),
  /** How much a gift (vouchers, goodwill credit) has lowered the document: of its net, and with VAT. The sums are without it. */
  allowance: money,
  gift: money,
  vat_kind: z.enum(vatKinds),
  vat_rate: z.string(),
  /** References of the buyer (BT-10, BT-13), or ''. */
  buyer_reference: z.string(),
  order_reference: z.string(),
  notes: z.array(documentNote),
  /** The documents that can be downloaded. XRechnung exists only if all details that its rules require are there. */
  formats: z.array(z.enum(formats)),
  /** The versions of the documents, oldest first; empty until the documents are made for the first time. */
  document_versions: z.array(z.strictObject({ version: count(), made_at: time() })),
  credit_note_of: z.nullable(reference),
  /** The invoice that this reissue replaced, and that a credit note has cancelled; `replaced_by` is the reissue of this invoice. */
  replaces: z.nullable(reference),
  replaced_by: z.nullable(reference),
  /** The credit notes of the invoice, oldest first. */
  credit_notes: z.array(z.strictObject({ ...reference.shape, total: money })),
  /** The id of the server that the document is about; null if it is about several servers, or none. */
  host_id: z.nullable(z.string()),
  /** The parts of each amount, which add up to it exactly; in the answers to calls. */
  explained: z.optional(explained),
})
named('Invoice', invoice)
export type Invoice = z.infer<typeof invoice>

const one = z.strictObject({ publicId: z.string().check(z.regex(/^[\w-]{22}$/)) })

/** The version of the document; by default the newest. */
const version = z.strictObject({
  version: z.optional(z.string().check(z.regex(/^[1-9]\d{0,3}$/, 'invalid'))),
})

export const listInvoices = route({
  id: 'listInvoices',
  tag: 'Invoices',
  method: 'GET',
  path: '/api/invoices/',
  access: { who: 'customer', acts: seeMoney },
  fromReplica: true,
  viewable: true,
  tool: 'read',
  summary: 'Invoices and credit notes, newest first',
  query: z.strictObject(pageQuery),
  replies: { 200: pageOf(invoiceSummary) },
})

const billing = {
  /** The address that invoices are mailed to; '' for the primary address of the account. */
  email: optionalEmail,
  buyer_reference: text(REFERENCE_LENGTH),
  order_reference: text(REFERENCE_LENGTH),
  /** True if the mail carries the documents. */
  send_pdf: z.boolean(),
}
const savedBilling = z.strictObject({ ...billing, email_verified: z.boolean() })
export type Billing = z.infer<typeof savedBilling>

export const getBilling = route({
  id: 'getBilling',
  tag: 'Invoices',
  method: 'GET',
  path: '/api/invoices/billing/',
  access: { who: 'customer', acts: 'own' },
  viewable: true,
  summary: 'References on invoices and where they are mailed',
  replies: { 200: savedBilling },
})

export const saveBilling = route({
  id: 'saveBilling',
  tag: 'Invoices',
  method: 'PUT',
  path: '/api/invoices/billing/',
  access: { who: 'customer', acts: 'own', whileBlocked: 'allowed' },
  summary: 'Set references on invoices and where they are mailed',
  description:
    'Set the references on invoices and the address they are mailed to, for invoices from now on; omitted fields stay (rule 45). An address gets mail once it is confirmed as one of the account',
  body: z.partial(z.strictObject(billing)),
  replies: { 200: savedBilling },
  errors: { 400: ['invalid_leitweg_id'] },
})

export const getVatStatus = route({
  id: 'getVatStatus',
  tag: 'Invoices',
  method: 'GET',
  path: '/api/invoices/vat-status/',
  access: { who: 'customer', acts: 'own' },
  summary: 'Whether the VAT ID is accepted',
  description:
    'Whether an authority has confirmed the VAT ID of the profile, on which the VAT of orders depends',
  replies: { 200: vatStatus },
})

export const readInvoicesPermission = permission('invoices.read', ['support', 'billing', 'admin'])
export const overrideVatPermission = permission('vat.override', ['billing', 'admin'], { proof: 'recent' })

const reissuePermission = permission('invoices.reissue', ['billing', 'admin'], { proof: 'recent' })

const customer = z.strictObject({ userId: z.uuid() })
const reason = requiredText(200)

export const getCustomerVatStatus = route({
  id: 'getCustomerVatStatus',
  tag: 'Staff customers',
  method: 'GET',
  path: '/api/staff/customers/{userId}/vat-status/',
  access: staff(readInvoicesPermission),
  summary: 'What decides the VAT of a customer, with the evidence',
  params: customer,
  replies: {
    200: z.strictObject({
      ...vatStatus.shape,
      /** The last decision of staff; if it is not `in_force`, it is `automatic`, has expired or is about another VAT ID. */
      override: z.nullable(
        z.strictObject({
          treatment: z.enum(treatments),
          vat_id: z.string(),
          reason: z.string(),
          by_name: z.nullable(z.string()),
          at: time(),
          valid_until: z.nullable(time()),
          in_force: z.boolean(),
        }),
      ),
      place: placeStatus,
      /** The latest questions to an authority, newest first, 20 at most. */
      checks: z.array(
        z.strictObject({
          vat_id: z.string(),
          source: z.enum(['vies', 'format', 'recorded']),
          verdict: z.enum(['valid', 'invalid', 'unverified']),
          asked_at: time(),
          consultation_number: z.string(),
          name: z.string(),
          address: z.string(),
        }),
      ),
    }),
  },
})

const decided = z.strictObject({ treatment: z.enum(treatments) })

export const overrideVat = route({
  id: 'overrideVat',
  tag: 'Staff customers',
  method: 'PUT',
  path: '/api/staff/customers/{userId}/vat-status/',
  access: staff(overrideVatPermission),
  summary: 'Decide how a customer is taxed',
  description:
    'Decide how a customer is taxed, whatever an authority or the facts say: `business` for one VAT ID (without `vat_id` the one of the profile), `consumer` for any, `resident` where the address is believed. These wait for a second person (202); `elsewhere`, where the address is not believed, and back to `automatic` do not. `from` is the treatment that the caller saw: another one by now is 409',
  params: customer,
  body: z.strictObject({
    treatment: z.enum(treatments, { error: 'invalid' }),
    from: z.optional(z.enum(treatments)),
    vat_id: z.optional(identifier(plainVatId, 30)),
    /** The code of the place that `resident` and `elsewhere` are about; without it the one of the address. */
    place: z.optional(placeCode),
    reason,
    valid_until: z.optional(moment),
  }),
  replies: { 200: decided, 202: waitingReply, 409: changedReply(decided) },
  errors: {
    400: ['required', 'invalid_vat_id', 'invalid'],
    403: ['own_account'],
    409: ['deactivated', 'already_proposed', 'changed'],
  },
})

export const checkCustomerVatId = route({
  id: 'checkCustomerVatId',
  tag: 'Staff customers',
  method: 'POST',
  path: '/api/staff/customers/{userId}/vat-check/',
  access: staff(overrideVatPermission),
  summary: "Check a customer's VAT ID now",
  params: customer,
  replies: { 202: z.strictObject({ vat_id: z.string() }) },
  errors: { 403: ['own_account'], 409: ['deactivated', 'no_vat_id_to_check'] },
})

/** The states in which the customer has entered a VAT ID and still pays VAT, although no member of staff decided so. */
export const openVatIdStates = ['asking', 'waiting', 'invalid', 'other_country'] as const

const openVatId = z.strictObject({
  customer: z.strictObject({ id: uuidText(), name: z.string() }),
  country: z.string(),
  vat_id: z.string(),
  state: z.enum(openVatIdStates),
  asked_since: z.nullable(time()),
})
named('OpenVatId', openVatId)
export type OpenVatId = z.infer<typeof openVatId>

export const listVatIds = route({
  id: 'listVatIds',
  tag: 'Staff books',
  method: 'GET',
  path: '/api/staff/vat-ids/',
  access: staff(readInvoicesPermission),
  fromReplica: true,
  summary: 'VAT IDs that nobody has confirmed',
  description:
    'Customers elsewhere in the EU who are charged VAT although they have entered a VAT ID, because it is invalid, of another country, or not confirmed yet. A page may hold fewer than `limit` where most are confirmed',
  query: z.strictObject(pageQuery),
  replies: { 200: pageOf(openVatId) },
})

export const listVatPlaces = route({
  id: 'listVatPlaces',
  tag: 'Staff books',
  method: 'GET',
  path: '/api/staff/vat-places/',
  access: staff(readInvoicesPermission),
  fromReplica: true,
  summary: 'Customers whose place is in doubt',
  description:
    'Customers who pay a higher VAT than that of their address, which nothing confirms or a payment contradicts, longest asked first. A page may hold fewer than `limit` where the facts agree by now',
  query: z.strictObject(pageQuery),
  replies: { 200: pageOf(openPlace) },
})

const reissued = z.enum(reissueVats, { error: 'invalid' })

export const previewReissue = route({
  id: 'previewReissue',
  tag: 'Staff books',
  method: 'GET',
  path: '/api/staff/invoices/{publicId}/reissue/',
  access: staff(readInvoicesPermission),
  summary: 'What a reissue of an invoice would come to',
  description:
    'What a reissue of an invoice would come to, and how the profile names the buyer now. `vat` and, where it is decided anew, the `country`, `zip`, `city` and `vat_id` of the buyer',
  params: one,
  query: z.strictObject({
    vat: reissued,
    country: z.optional(text(2)),
    zip: z.optional(text(fieldLengths.zip)),
    city: z.optional(text(fieldLengths.city)),
    vat_id: z.optional(identifier(plainVatId, 30)),
  }),
  replies: {
    200: z.strictObject({
      /** The buyer as the profile names them now; null for a deleted account and for an account without billing details. */
      profile: z.nullable(buyer),
      /** The sums that earlier credit notes left of the invoice, and that the credit note of the reissue cancels. */
      before: sums,
      /** The sums of the new invoice; null for `nothing_left` and `deactivated`. */
      after: z.nullable(sums),
      /** The amount that the customer gets back. */
      difference: money,
      refusal: z.nullable(z.enum(['nothing_left', 'total_would_rise', 'deactivated'])),
    }),
  },
})

export const reissueInvoice = route({
  id: 'reissueInvoice',
  tag: 'Staff books',
  method: 'POST',
  path: '/api/staff/invoices/{publicId}/reissue/',
  access: staff(reissuePermission),
  summary: 'Cancel and reissue an invoice',
  description:
    'Cancel what is left of an invoice by a credit note, and issue it anew to another `buyer`, or with VAT `decide`d anew. Runtime stays. A lower total comes back to the balance (`transaction`), a higher one is refused, as is one that is not the `expected_total`. The customer reads the reason',
  params: one,
  headers: idempotencyKey,
  body: z.strictObject({
    buyer: z.union([z.literal('profile'), reissuedBuyer]),
    vat: reissued,
    reason,
    /** The total of the new invoice in the preview (rule 46). */
    expected_total: z.optional(money),
  }),
  replies: {
    201: z.strictObject({
      credit_note: invoiceSummary,
      invoice: invoiceSummary,
      transaction: z.optional(transaction),
    }),
  },
  errors: {
    400: ['required', 'unknown_country', 'invalid_vat_id'],
    403: ['own_account'],
    409: ['nothing_left', 'total_would_rise', 'deactivated', 'buyer_incomplete', 'total_changed'],
    422: ['idempotency_key_reused'],
  },
})

export const getInvoice = route({
  id: 'getInvoice',
  tag: 'Invoices',
  method: 'GET',
  path: '/api/invoices/{publicId}/',
  access: { who: 'customer', acts: seeMoney },
  viewable: true,
  summary: 'An invoice or credit note, as it was issued',
  params: one,
  replies: { 200: invoice },
})

export const getPdf = route({
  id: 'getPdf',
  tag: 'Invoices',
  method: 'GET',
  path: '/api/invoices/{publicId}/pdf',
  access: { who: 'customer', acts: seeMoney },
  summary: 'The invoice as PDF/A-3 with its XML inside',
  description: 'The invoice as PDF/A-3 with its EN 16931 XML inside (ZUGFeRD, Factur-X)',
  params: one,
  query: version,
  responseType: 'application/pdf',
  replies: { 200: null },
})

export const getXrechnung = route({
  id: 'getXrechnung',
  tag: 'Invoices',
  method: 'GET',
  path: '/api/invoices/{publicId}/xrechnung.xml',
  access: { who: 'customer', acts: seeMoney },
  summary: 'The invoice as XRechnung (UBL)',
  params: one,
  query: version,
  responseType: 'application/xml',
  replies: { 200: null },
  errors: { 409: ['xrechnung_incomplete'] },
})

/** The live event for a new invoice or credit note; it carries the public id as `id`. */
export const INVOICE_CREATED = liveEvent('invoice.created')

export { answerVatPlace, getVatPlace, type OpenPlace, type PlaceStatus } from './place-contract.ts'
export { documentNote, type VatStatus, type Note } from './shapes.ts'
