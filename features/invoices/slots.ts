import { slot } from '#foundation/contract.ts'

/** The slot below the statement of a month for the statements that are signed: one's own, or for staff those of `userId`. */
export const signedStatements = slot<{ userId?: string | undefined }>('invoices.signed_statements')
