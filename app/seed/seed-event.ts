import type { Period } from '#features/licences/rules.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

/** The state of one person while their history is written: the hosts and references so far, by the names that the history uses. */
export type SeedState = {
  app: App
  tx: Tx
  user_id: string
  /** The country (ISO 3166-1) of the person, which their cards and bank accounts say, too. */
  country: string
  /** The member of staff who acts for the operator. */
  staff_id: string
  hosts: Map<string, { public_id: string; last?: Period }>
  /** The public ids of top-ups, and the transactions of orders. */
  references: Map<string, string>
}

/** One act of a person, or an event that happened to them; `apply` writes it. */
export type SeedEvent = { at: Date; apply: (life: SeedState, at: Date) => Promise<void> }

type EventFactory<Given extends unknown[]> = (at: Date, ...given: Given) => SeedEvent

export const seedEvent =
  <Given extends unknown[]>(
    happen: (life: SeedState, at: Date, ...given: Given) => Promise<void>,
  ): EventFactory<Given> =>
  (at, ...given) => ({ at, apply: (life, moment) => happen(life, moment, ...given) })
