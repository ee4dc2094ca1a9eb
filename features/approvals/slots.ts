import { slot } from '#foundation/contract.ts'

/** A place above the approvals for other things that wait for somebody who may move money. */
export const waitingForMoney = slot<object>('approvals.waiting_for_money')
