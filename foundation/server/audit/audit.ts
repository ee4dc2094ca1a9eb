import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import type { Caller } from '#foundation/server/http/caller.ts'
import * as queries from './queries.ts'

/** Writes a security act into the append-only audit table, in the transaction of the act itself. */
export const recordAct = queries.insertAct

/** Address, browser and request of an act, for `recordAct`. */
export const originOf = ({ ip, user_agent, request_id }: Caller) => ({ ip, user_agent, request_id })

/** Keeps what was refused (rule 44), in a transaction of its own: the one that refused is rolled back. */
export async function recordRefusal(
  app: App,
  caller: Caller,
  refused: { user_id: string | null; act: string; detail?: Record<string, unknown> },
): Promise<void> {
  await transaction(app, 'system', (tx) => queries.insertAct(tx, { ...refused, ...originOf(caller) }))
}

/** Whether a user who signed in before never did so from this kind of browser in this network within a year. */
export const isNewDevice = queries.isNewDevice

/** True where this account signed in from the network of an address (IPv4 /24, IPv6 /48) within 90 days. */
export const hasSignedInFrom = queries.hasSignedInFrom
