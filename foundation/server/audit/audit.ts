import * as queries from './queries.ts'

/** Writes a security act into the append-only audit table, in the transaction of the act itself. */
export const recordAct = queries.insertAct

/** Whether a user who signed in before never did so from this kind of browser in this network within a year. */
export const isNewDevice = queries.isNewDevice
