import { APPROVAL_CHANGED } from '#features/approvals/contract.ts'
import type { LiveReaction } from '#foundation/web/realtime/subscriptions.ts'
import { refreshApprovals } from './refresh-approvals.ts'

export const live: readonly LiveReaction[] = [[APPROVAL_CHANGED, refreshApprovals]]
