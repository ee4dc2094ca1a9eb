import * as z from 'zod/mini'
import { money } from './money.ts'
import { named, time, uuidText } from './printed.ts'
import { permission } from './roles.ts'

/** The permission to decide about proposals of other members. The decider also needs the permission of the proposed action. */
export const decideApprovalsPermission = permission('approvals.decide', ['billing', 'admin'], {
  proof: 'recent',
  peopleOnly: true,
})

/**
 * The reasons why an action waits for a second person. `allowance`: its amount is above the member's allowance. `day`: the member's
 * amounts of 24 hours are above it. `linked`: the member shares an address or a device with the customer. `always`: each such action waits.
 */
export const approvalCauses = ['allowance', 'day', 'linked', 'always'] as const
export type ApprovalCause = (typeof approvalCauses)[number]

/** `failed`: a second member approved the action, but by then its own rules refused it. */
export const approvalStatuses = ['proposed', 'approved', 'failed', 'refused', 'withdrawn', 'expired'] as const
export type ApprovalStatus = (typeof approvalStatuses)[number]

/**
 * The reasons why a member does not decide on what another one asks for: both share a fact that suggests one person, or one brought the
 * other in less than 14 days ago, directly or over others, and no second owner confirmed it.
 */
export const bars = ['linked_with_proposer', 'introduced_by_proposer'] as const
export type Bar = (typeof bars)[number]

/** Facts that a member of staff and a customer share, and that suggest, but do not prove, that both are one person. */
export const linkKinds = ['address', 'device', 'iban'] as const
export type LinkKind = (typeof linkKinds)[number]

/** The body of the reply 202 of each call that may need a second person. The action has not been done yet. */
export const waitingReply = z.strictObject({
  approval: z.strictObject({
    id: uuidText(),
    /** The name of the permission that the action needs. */
    act: z.string(),
    why: z.enum(approvalCauses),
    amount: z.nullable(money),
    /** The approval is void if nobody has decided it by this time. */
    expires_at: time(),
  }),
})
named('WaitingApproval', waitingReply)
