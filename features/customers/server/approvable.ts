import type { ApprovableAct } from '#foundation/server/approvals/approvable-act.ts'
import { eraseAct } from './erase.ts'
import { moveAct } from './move-account.ts'

export const approvable: readonly ApprovableAct[] = [eraseAct, moveAct] as readonly ApprovableAct[]
