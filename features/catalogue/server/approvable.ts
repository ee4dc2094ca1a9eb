import type { ApprovableAct } from '#foundation/server/approvals/approvable-act.ts'
import { voucherAct } from './vouchers.ts'

export const approvable: readonly ApprovableAct[] = [voucherAct]
