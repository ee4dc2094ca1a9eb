import type { ApprovableAct } from '#foundation/server/approvals/approvable-act.ts'
import { eraseAct } from './erase.ts'

export const approvable: readonly ApprovableAct[] = [eraseAct]
