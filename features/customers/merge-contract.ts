import * as z from 'zod/mini'
import { waitingReply } from '#foundation/approvals.ts'
import { route } from '#foundation/contract.ts'
import { email, requiredText } from '#foundation/fields.ts'
import { named } from '#foundation/printed.ts'
import { permission, staff } from '#foundation/roles.ts'
import { REASON_LENGTH } from './rules.ts'
import { factorReset } from './shapes.ts'

/** An account moves to another address, or into another account of the same person, by staff and after a waiting time. */

const params = z.strictObject({ userId: z.uuid() })
const reason = requiredText(REASON_LENGTH)

export const movePermission = permission('customers.move', ['support', 'admin'], {
  proof: 'recent',
  peopleOnly: true,
})

export const moveAccount = route({
  id: 'moveAccount',
  tag: 'Staff customers',
  method: 'POST',
  path: '/api/staff/customers/{userId}/address-move/',
  access: staff(movePermission),
  summary: 'Move an account to a new address, after a waiting time',
  description:
    'For customers who have lost their mailbox. Once a second person confirms, every confirmed address is mailed a link that stops it; at `due_at` the new address replaces all others, factors and password are removed, and a link to a new password goes to it',
  params,
  // `identity`: how the member made sure who asks.
  body: z.strictObject({ email: email(), identity: reason, reason }),
  replies: { 200: factorReset, 202: waitingReply },
  errors: {
    403: ['own_account'],
    409: ['deactivated', 'reset_pending', 'proven_elsewhere', 'already_proposed'],
  },
})

export const mergePermission = permission('customers.merge', ['support', 'admin'], {
  proof: 'recent',
  peopleOnly: true,
})

/** The reasons against a merge: anything that is not settled stays with the account that it belongs to. */
const mergeRefusals = [
  'merge_same',
  'merge_blocked',
  'merge_erasure',
  'merge_merged',
  'merge_withdrawal',
  'merge_approval',
  'merge_payout',
  'merge_suspended',
  'merge_too_many',
  'merge_debt',
  'merge_unsettled',
] as const

export const mergeAccount = route({
  id: 'mergeAccount',
  tag: 'Staff customers',
  method: 'POST',
  path: '/api/staff/customers/{userId}/merge/',
  access: staff(mergePermission),
  summary: 'Merge two accounts of one person, after a waiting time',
  description:
    'For customers who have two accounts. Once a second person confirms, every confirmed address of both is mailed a link that stops it; at `due_at` servers with their paid term, balance and tickets go to the account with the address `email`, which reads the invoices too, and this one is locked. Its helpers and payers end; API tokens, webhooks, the automatic top-up and saved payment methods do not come along. It can be undone for 7 days',
  params,
  // `identity`: how the member made sure that both are one person.
  body: z.strictObject({ email: email(), identity: reason, reason }),
  replies: { 200: factorReset, 202: waitingReply },
  errors: {
    400: ['merge_no_account'],
    403: ['own_account'],
    409: ['deactivated', 'reset_pending', 'already_proposed', ...mergeRefusals],
  },
})

const undoneMerge = z.strictObject({
  /** The names of servers that stay where they are: deleted, given away or suspended since. */
  servers_left: z.array(z.string()),
  /** True where the balance stays, because a part of it was spent, paid out or pulled back since. */
  balance_left: z.boolean(),
})
named('UndoneMerge', undoneMerge)
export type UndoneMerge = z.infer<typeof undoneMerge>

export const undoMerge = route({
  id: 'undoMerge',
  tag: 'Staff customers',
  method: 'DELETE',
  path: '/api/staff/customers/{userId}/merge/',
  access: staff(mergePermission),
  summary: 'Undo the merge of an account within 7 days',
  description:
    'What went to the other account comes back as far as still possible; the answer names what stays. Helpers and payers do not begin again',
  params,
  body: z.strictObject({ reason }),
  replies: { 200: undoneMerge },
  errors: { 403: ['own_account'], 409: ['deactivated', 'merge_over'] },
})
