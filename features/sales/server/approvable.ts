import type { ApprovableAct } from '#foundation/server/approvals/approvable-act.ts'
import { refundAct } from './refund.ts'

export const approvable: readonly ApprovableAct[] = [refundAct]
