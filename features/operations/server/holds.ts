import type { App } from '#foundation/server/app.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import * as queries from './hold-queries.ts'

/**
 * Holds everything of a period for an audit: documents, tickets and their files of these days, in the operator's time zone, are not erased
 * while the hold stands, whatever the law or a deleted account says (decision 159).
 */
export const beginHold = (
  app: App,
  wanted: { first_day: string; last_day: string; reason: string },
): Promise<queries.Hold> =>
  transaction(app, 'system', async (tx) => {
    const hold = await queries.insertHold(tx, { ...wanted, time_zone: app.config.timeZone })
    await record(tx, 'hold.begun', hold)
    return hold
  })

/** Ends a hold; what is due to be erased goes with the next run of its job. Undefined if no hold with this number stands. */
export const endHold = (app: App, id: number): Promise<queries.Hold | undefined> =>
  transaction(app, 'system', async (tx) => {
    const hold = await queries.endHold(tx, id)
    if (hold) await record(tx, 'hold.ended', hold)
    return hold
  })

export const presentHolds = (app: App): Promise<queries.Hold[]> => queries.presentHolds(app.db)

const record = (
  tx: Parameters<typeof recordAction>[0],
  act: 'hold.begun' | 'hold.ended',
  { id, first_day, last_day, reason }: queries.Hold,
) =>
  recordAction(tx, {
    user_id: null,
    act,
    detail: { by: 'command line', hold: id, first_day, last_day, reason },
  })
