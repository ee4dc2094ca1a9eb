import { slot } from '#foundation/contract.ts'

/** Above the transfers that are waited for: the payments that have come. */
export const transfersStatements = slot<object>('customers.transfers_statements')
