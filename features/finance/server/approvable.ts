import type { ApprovableAct } from '#foundation/server/approvals/approvable-act.ts'
import { correctAct } from './corrections.ts'
import { transferAct } from './confirm-transfer.ts'
import { creditAct } from './give-credit.ts'
import { payOutAct, writeOffAct } from './pay-out.ts'

/** Actions of staff on money that may need a second person. A chargeback needs none: the bank has taken the money already. */
export const approvable: readonly ApprovableAct[] = [
  creditAct,
  transferAct,
  correctAct,
  payOutAct,
  writeOffAct,
]
