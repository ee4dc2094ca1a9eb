import * as queries from './queries.ts'

/** Writes a security act into the append-only audit table, in the transaction of the act itself. */
export const recordAct = queries.insertAct
