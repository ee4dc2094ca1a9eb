import type { ApprovableAct } from '#foundation/server/approvals/approvable-act.ts'
import { overrideVatAct } from './vat-override.ts'

export const approvable: readonly ApprovableAct[] = [overrideVatAct]
