import type { ApprovableAct } from '#foundation/server/approvals/approvable-act.ts'
import { assignAct, reverseAct } from './line-acts.ts'

export const approvable: readonly ApprovableAct[] = [assignAct, reverseAct]
