import { slot } from '#foundation/contract.ts'

/** The slot above the pending bank transfers, for the payments that have arrived. */
export const transfersStatements = slot<object>('customers.transfers_statements')
