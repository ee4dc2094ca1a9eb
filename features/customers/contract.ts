import * as z from 'zod/mini'
import { termsReply } from '#features/legal/contract.ts'
import { waitingReply } from '#foundation/approvals.ts'
import { liveEvent, route } from '#foundation/contract.ts'
import { errorWith } from '#foundation/error-contract.ts'
import {
  multilineText,
  opaqueText,
  pastedKey,
  requiredMultilineText,
  requiredText,
} from '#foundation/fields.ts'
import { optionalIdempotencyKey } from '#foundation/idempotency.ts'
import { money } from '#foundation/money.ts'
import { pageOf, pageQuery } from '#foundation/paging.ts'
import { bigCount, count, emailText, named, time, uuidText } from '#foundation/printed.ts'
import { permission, staff } from '#foundation/roles.ts'
import { changedReply, version } from '#foundation/versions.ts'
import { bankBookPermission, topUp } from '#features/finance/contract.ts'
import { readCustomersPermission } from '#features/support/desk/contract.ts'
import { invoiceSummary, readInvoicesPermission } from '#features/invoices/contract.ts'
import { causes, levels, MESSAGE_LENGTH, NOTE_LENGTH, REASON_LENGTH, sorts, states } from './rules.ts'
import {
  auditedAct,
  block,
  customerHost,
  customerRow,
  customerSession,
  factorReset,
  mergedFrom,
  mergedInto,
  note,
} from './shapes.ts'

/** The calls of staff for customers: a list with a search by all that is known of a customer, and everything about one customer. */

const notePermission = permission('customers.note', ['support', 'billing', 'admin'])

export type CustomerRow = z.infer<typeof customerRow>

export const listCustomers = route({
  id: 'listCustomers',
  tag: 'Staff customers',
  method: 'GET',
  path: '/api/staff/customers/',
  access: staff(readCustomersPermission),
  fromReplica: true,
  tool: 'read',
  summary: 'All customers, searched, filtered and sorted',
  description:
    'All customers, the newest first. `q` is read as an IP address, network or its beginning (`203.0.113.`), a whole licence key, an invoice number (also `2026-17`), a ticket number (`#7`), a transfer reference, an account id, a VAT ID, the end of an IBAN (`…4321`, with `banking.read`), the beginning of an address (with `@`), or else as a part of a name, company, street, address or server name. An order has the latest or highest first, with `_asc` last; who never signed in comes last by `last_login_at`. With `debt` those who owe, the most first unless `sort` is given.',
  query: z.strictObject({
    ...pageQuery,
    q: z.optional(opaqueText(200)),
    state: z.optional(z.enum(states)),
    debt: z.optional(z.enum(['yes'])),
    sort: z.optional(z.enum(sorts)),
  }),
  replies: { 200: pageOf(customerRow) },
})

const params = z.strictObject({ userId: z.uuid() })

export type CustomerBlock = z.infer<typeof block>

export type FactorReset = z.infer<typeof factorReset>

export const getCustomerAccount = route({
  id: 'getCustomerAccount',
  tag: 'Staff customers',
  method: 'GET',
  path: '/api/staff/customers/{userId}/account/',
  access: staff(readCustomersPermission),
  tool: 'read',
  summary: 'How a customer signs in',
  params,
  replies: {
    200: z.strictObject({
      state: z.enum(states),
      block: z.nullable(block),
      /** The pending reset of the second factor. */
      factor_reset: z.nullable(factorReset),
      merged_into: z.nullable(mergedInto),
      merged_from: z.array(mergedFrom),
      created_at: time(),
      last_login_at: z.nullable(time()),
      terms: termsReply,
      addresses: z.array(
        z.strictObject({ id: bigCount(), email: emailText(), primary: z.boolean(), proven: z.boolean() }),
      ),
      two_factor: z.array(z.enum(['totp', 'webauthn'])),
      sessions: z.array(customerSession),
    }),
  },
})
named('CustomerAccount', getCustomerAccount.replies[200])
export type CustomerAccount = z.infer<(typeof getCustomerAccount)['replies'][200]>

export const listCustomerHosts = route({
  id: 'listCustomerHosts',
  tag: 'Staff customers',
  method: 'GET',
  path: '/api/staff/customers/{userId}/hosts/',
  access: staff(readCustomersPermission),
  fromReplica: true,
  summary: "A customer's servers, newest first",
  params,
  query: z.strictObject({ ...pageQuery, q: z.optional(opaqueText(100)) }),
  replies: { 200: pageOf(customerHost) },
})

export const listCustomerInvoices = route({
  id: 'listCustomerInvoices',
  tag: 'Staff customers',
  method: 'GET',
  path: '/api/staff/customers/{userId}/invoices/',
  access: staff(readInvoicesPermission),
  fromReplica: true,
  summary: "A customer's invoices and credit notes, newest first",
  params,
  query: z.strictObject(pageQuery),
  replies: { 200: pageOf(invoiceSummary) },
})

export type CustomerNote = z.infer<typeof note>

export const listCustomerNotes = route({
  id: 'listCustomerNotes',
  tag: 'Staff customers',
  method: 'GET',
  path: '/api/staff/customers/{userId}/notes/',
  access: staff(notePermission),
  summary: 'What staff noted about a customer, pinned ones first',
  params,
  replies: { 200: z.strictObject({ items: z.array(note) }) },
})

export const createCustomerNote = route({
  id: 'createCustomerNote',
  tag: 'Staff customers',
  method: 'POST',
  path: '/api/staff/customers/{userId}/notes/',
  access: staff(notePermission, 'any'),
  summary: 'Note something about a customer, for staff only',
  params,
  headers: optionalIdempotencyKey,
  body: z.strictObject({ text: requiredMultilineText(NOTE_LENGTH), pinned: z.optional(z.boolean()) }),
  replies: { 201: note },
  errors: { 409: ['too_many_notes'] },
})

const noteParams = z.strictObject({ userId: z.uuid(), noteId: z.uuid() })

export const updateCustomerNote = route({
  id: 'updateCustomerNote',
  tag: 'Staff customers',
  method: 'PATCH',
  path: '/api/staff/customers/{userId}/notes/{noteId}/',
  access: staff(notePermission, 'any'),
  summary: 'Change an own note for 15 minutes, or pin any',
  params: noteParams,
  body: z.strictObject({
    text: z.optional(requiredMultilineText(NOTE_LENGTH)),
    pinned: z.optional(z.boolean()),
    version,
  }),
  replies: { 200: note, 409: changedReply(note) },
  errors: { 403: ['not_allowed'], 409: ['changed'] },
})

export const deleteCustomerNote = route({
  id: 'deleteCustomerNote',
  tag: 'Staff customers',
  method: 'DELETE',
  path: '/api/staff/customers/{userId}/notes/{noteId}/',
  access: staff(notePermission, 'any'),
  summary: 'Delete a note',
  params: noteParams,
  replies: { 204: null },
})

const reason = requiredText(REASON_LENGTH)

/** The block in force; null for an account without one. */
const heldBlock = z.strictObject({ block: z.nullable(block) })
named('HeldBlock', heldBlock)

const blockPermission = permission('customers.block', ['billing', 'admin'], { proof: 'recent' })

export const setBlock = route({
  id: 'setBlock',
  tag: 'Staff customers',
  method: 'PUT',
  path: '/api/staff/customers/{userId}/block/',
  access: staff(blockPermission),
  summary: 'Block or lock an account, or open it again',
  description:
    'Block an account (it may not buy), lock it (nobody may sign in; all sessions end) or open it again (`none`). The customer is mailed `message`; `reason` is for staff. Opening a locked account takes its password away and mails a link to set another. `from` is the level that the caller saw: another one by now is 409',
  params,
  body: z.strictObject({
    level: z.enum(levels),
    from: z.optional(z.enum(levels)),
    cause: z.optional(z.enum(causes)),
    reason,
    message: z._default(multilineText(MESSAGE_LENGTH), ''),
  }),
  replies: { 200: heldBlock, 409: changedReply(heldBlock) },
  errors: { 403: ['own_account'], 409: ['deactivated', 'account_merged', 'changed'] },
})

const signOutPermission = permission('customers.sign_out', ['support', 'admin'], { proof: 'recent' })

export const signOutCustomer = route({
  id: 'signOutCustomer',
  tag: 'Staff customers',
  method: 'POST',
  path: '/api/staff/customers/{userId}/sign-out/',
  access: staff(signOutPermission),
  summary: 'Sign a customer out everywhere; members for owners',
  params,
  body: z.strictObject({ reason }),
  replies: { 200: z.strictObject({ ended: count() }) },
  errors: { 403: ['own_account'], 409: ['deactivated'] },
})

export const viewPermission = permission('customers.view', ['support', 'admin'], {
  proof: 'recent',
  peopleOnly: true,
})

export const startView = route({
  id: 'startView',
  tag: 'Staff customers',
  method: 'POST',
  path: '/api/staff/customers/{userId}/views/',
  access: staff(viewPermission),
  summary: 'See an account as its customer does, for 15 minutes',
  description:
    'Requests of this session that carry the id in the header `X-View-As` are answered as to the customer, by the calls that allow it; all others refuse with 403 `read_only_view`. The customer reads who looked. Three at a time; not of members of staff',
  params,
  body: z.strictObject({ reason, ticket_id: z.optional(requiredText(22)) }),
  replies: { 201: z.strictObject({ id: uuidText(), expires_at: time() }) },
  errors: {
    400: ['invalid'],
    403: ['own_account'],
    409: ['deactivated', 'account_locked', 'too_many_views'],
  },
})

export const endView = route({
  id: 'endView',
  tag: 'Staff customers',
  method: 'DELETE',
  path: '/api/staff/views/{id}/',
  access: { who: 'member' },
  summary: 'End an own view of an account',
  params: z.strictObject({ id: z.uuid() }),
  replies: { 204: null },
})

const confirmAddressPermission = permission('customers.confirm_address', ['admin'], {
  proof: 'recent',
  peopleOnly: true,
})

export const confirmAddress = route({
  id: 'confirmAddress',
  tag: 'Staff customers',
  method: 'POST',
  path: '/api/staff/customers/{userId}/addresses/{addressId}/confirmation/',
  access: staff(confirmAddressPermission),
  summary: 'Confirm an email address for a customer',
  description:
    'Confirm an email address of a customer whom our mails do not reach, for an account without any confirmed one',
  params: z.strictObject({ userId: z.uuid(), addressId: z.string().check(z.regex(/^\d{1,15}$/, 'invalid')) }),
  body: z.strictObject({ reason }),
  replies: { 200: z.strictObject({ proven: z.literal(true) }) },
  errors: { 403: ['own_account'], 409: ['deactivated', 'proven_elsewhere', 'has_proven_address'] },
})

const resetFactorPermission = permission('customers.reset_factor', ['support', 'admin'], {
  proof: 'recent',
  peopleOnly: true,
})

export const requestFactorReset = route({
  id: 'requestFactorReset',
  tag: 'Staff customers',
  method: 'POST',
  path: '/api/staff/customers/{userId}/factor-reset/',
  access: staff(resetFactorPermission),
  summary: 'Reset a lost second factor, after a waiting time',
  description:
    'Take the second factors and the password of a customer away at `due_at`, unless they stop it by a link in their mails, or use a factor. Of members of staff for owners only',
  params,
  body: z.strictObject({ reason }),
  replies: { 201: factorReset },
  errors: { 403: ['own_account'], 409: ['deactivated', 'no_factor', 'reset_pending'] },
})

export const cancelFactorReset = route({
  id: 'cancelFactorReset',
  tag: 'Staff customers',
  method: 'DELETE',
  path: '/api/staff/customers/{userId}/factor-reset/',
  access: staff(resetFactorPermission),
  summary: 'Cancel the reset of a second factor',
  params,
  body: z.strictObject({ reason }),
  replies: { 204: null },
  errors: { 403: ['own_account'], 409: ['deactivated'] },
})

const exportPermission = permission('customers.export', ['admin'], { proof: 'recent' })

export const exportCustomer = route({
  id: 'exportCustomer',
  tag: 'Staff customers',
  method: 'POST',
  path: '/api/staff/customers/{userId}/export/',
  access: staff(exportPermission),
  summary: 'Mail a customer a link to all their data',
  limits: ['export'],
  params,
  body: z.strictObject({ reason }),
  replies: { 202: z.strictObject({ email: emailText(), expires_at: time() }) },
  errors: { 403: ['own_account'], 409: ['deactivated', 'no_proven_address'] },
})

export const erasePermission = permission('customers.erase', ['admin'], { proof: 'recent' })

export const eraseCustomer = route({
  id: 'eraseCustomer',
  tag: 'Staff customers',
  method: 'POST',
  path: '/api/staff/customers/{userId}/erasure/',
  access: staff(erasePermission),
  summary: 'Delete an account, once a second person confirms',
  params,
  body: z.strictObject({
    email: requiredText(254),
    reason,
    /** The sum that the customer gives up, as they have declared. If money is left and this is another sum, the 409 names it. */
    forfeit: z.optional(money),
  }),
  replies: {
    200: z.strictObject({ erased: z.literal(true) }),
    202: waitingReply,
    409: errorWith(409, { balance: money }),
  },
  errors: {
    400: ['email_does_not_match'],
    403: ['own_account'],
    409: ['deactivated', 'merge_undoable', 'customer_balance_left', 'customer_debt_left', 'already_proposed'],
  },
})

export const vetoFactorReset = route({
  id: 'vetoFactorReset',
  tag: 'Security',
  method: 'POST',
  path: '/api/factor-reset/veto/',
  access: { who: 'anyone' },
  summary: 'Stop the reset of a second factor by a key from its mails',
  limits: ['factor_veto'],
  body: z.strictObject({ key: pastedKey() }),
  replies: { 204: null },
  errors: { 400: ['invalid_or_expired_key'] },
})

export const listCustomerActivity = route({
  id: 'listCustomerActivity',
  tag: 'Staff customers',
  method: 'GET',
  path: '/api/staff/customers/{userId}/activity/',
  access: staff(readCustomersPermission),
  fromReplica: true,
  summary: 'All the audit holds about a customer, newest first',
  params,
  query: z.strictObject(pageQuery),
  replies: { 200: pageOf(auditedAct) },
})

/** The event that all staff get after each action of staff on a customer: `{user_id}`. */
export const CUSTOMER_CHANGED = liveEvent('customer.changed')

/** Stops waiting for an announced bank transfer; no money moves. */
export const rejectTransfer = route({
  id: 'rejectTransfer',
  tag: 'Staff finances',
  method: 'POST',
  path: '/api/staff/customers/{userId}/top-ups/{id}/rejection/',
  access: staff(bankBookPermission),
  summary: 'Stop waiting for a bank transfer',
  description: 'The customer gets a mail with the reason. Money that comes later counts all the same',
  params: z.strictObject({ userId: z.uuid(), id: z.string().check(z.regex(/^[\w-]{22}$/)) }),
  body: z.strictObject({ reason }),
  replies: { 200: topUp },
  errors: { 403: ['own_account'], 409: ['top_up_not_pending'] },
})
