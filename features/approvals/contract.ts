import * as z from 'zod/mini'
import {
  approvalCauses,
  approvalStatuses,
  bars,
  decideApprovalsPermission,
  linkKinds,
} from '#foundation/approvals.ts'
import { liveEvent, route } from '#foundation/contract.ts'
import { text } from '#foundation/fields.ts'
import { money } from '#foundation/money.ts'
import { pageOf, pageQuery } from '#foundation/paging.ts'
import { named, time, uuidText } from '#foundation/printed.ts'
import { permission, staff } from '#foundation/roles.ts'

/** Actions that a member of staff asks for and a second member confirms (decision 066). */

const readPermission = permission('approvals.read', ['support', 'billing', 'admin'])

const person = z.strictObject({ id: uuidText(), name: z.string() })

export const approval = z.strictObject({
  id: uuidText(),
  /** The name of the action. It is the name of the permission that the action needs, unless several actions share that permission. */
  act: z.string(),
  why: z.enum(approvalCauses),
  amount: z.nullable(money),
  /** The customer reads it once the action is run. */
  reason: z.string(),
  customer: z.nullable(z.strictObject({ ...person.shape, email: z.string() })),
  proposed_by: person,
  proposed_at: time(),
  /** The action is void if nobody has decided about it by this time. */
  expires_at: time(),
  status: z.enum(approvalStatuses),
  decided_by: z.nullable(person),
  decided_at: z.nullable(time()),
  note: z.nullable(z.string()),
  /** The error code by which the action's own rules refused it. */
  failure: z.nullable(z.string()),
  /** The reason why the reader may not decide about it, whatever their roles, and until when (null: as long as it is so); null if none. */
  barred: z.nullable(z.strictObject({ why: z.enum(bars), until: z.nullable(time()) })),
  /** Facts that the member who asks and the customer have in common. */
  links: z.array(z.enum(linkKinds)),
  /** The consequences that an approval would have now; empty once decided. Amounts are in minor units of the currency of `amount`. */
  preview: z.array(z.strictObject({ code: z.string(), params: z.record(z.string(), z.string()) })),
})
named('Approval', approval)
export type Approval = z.infer<typeof approval>

export const listApprovals = route({
  id: 'listApprovals',
  tag: 'Staff approvals',
  method: 'GET',
  path: '/api/staff/approvals/',
  access: staff(readPermission),
  summary: 'What waits for a second person, and what was decided',
  description:
    'What waits for a second person first, then what was decided, the newest first. Members who may not decide get what they asked for themselves',
  query: z.strictObject({ ...pageQuery, status: z.optional(z.enum(approvalStatuses)) }),
  replies: { 200: pageOf(approval) },
})

const params = z.strictObject({ id: z.uuid() })

export const decideApproval = route({
  id: 'decideApproval',
  tag: 'Staff approvals',
  method: 'POST',
  path: '/api/staff/approvals/{id}/decision/',
  access: staff(decideApprovalsPermission, 'found'),
  summary: 'Approve or refuse what a colleague asks for',
  description:
    'Approve or refuse what a colleague asks for; this needs the permission of the action, too. Approved, it is run at once; where its own rules refuse it by now, `status` is `failed` and `failure` says why',
  params,
  body: z.strictObject({
    decision: z.enum(['approve', 'refuse'], { error: 'invalid' }),
    /** The colleague who asked reads the note. */
    note: z.optional(text(500)),
  }),
  replies: { 200: approval },
  errors: { 403: ['own_proposal', 'own_account', ...bars], 409: ['already_decided'] },
})

export const withdrawApproval = route({
  id: 'withdrawApproval',
  tag: 'Staff approvals',
  method: 'DELETE',
  path: '/api/staff/approvals/{id}/',
  access: staff(readPermission, 'any'),
  summary: 'Withdraw your request',
  params,
  replies: { 204: null },
  errors: { 409: ['already_decided'] },
})

/** An action began to wait, or was decided: sent to all staff with `{approval_id}`. */
export const APPROVAL_CHANGED = liveEvent('approval.changed')
