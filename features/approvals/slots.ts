import { slot } from '#foundation/contract.ts'

/** Above the approvals: what else waits for somebody who may move money. */
export const waitingForMoney = slot<object>('approvals.waiting_for_money')
