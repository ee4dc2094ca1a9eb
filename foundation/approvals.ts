import * as z from 'zod/mini'
import { money } from './money.ts'
import { named, time, uuidText } from './printed.ts'
import { permission } from './roles.ts'

/** Deciding about what other members ask for. It takes the permission of the action, too. */
export const decideApprovalsPermission = permission('approvals.decide', ['billing', 'admin'], {
  proof: 'recent',
})

/**
 * The reasons why an action waits for a second person: the amount is above the member's allowance, or the amounts of 24 hours
 * are; the member shares a fact with the customer; such an action always waits.
 */
export const approvalCauses = ['allowance', 'day', 'linked', 'always'] as const
export type ApprovalCause = (typeof approvalCauses)[number]

/** `failed`: approved, but refused by the action's own rules by then. */
export const approvalStatuses = ['proposed', 'approved', 'failed', 'refused', 'withdrawn', 'expired'] as const
export type ApprovalStatus = (typeof approvalStatuses)[number]

/** Facts that a member shares with a customer and that only suggest one person. */
export const linkKinds = ['address', 'device'] as const
export type LinkKind = (typeof linkKinds)[number]

/** The body of 202 of each call that may need a second person: nothing has happened yet. */
export const waitingReply = z.strictObject({
  approval: z.strictObject({
    id: uuidText(),
    /** The name of the permission that the action needs. */
    act: z.string(),
    why: z.enum(approvalCauses),
    amount: z.nullable(money),
    /** Undecided by then, it is void. */
    expires_at: time(),
  }),
})
named('WaitingApproval', waitingReply)
