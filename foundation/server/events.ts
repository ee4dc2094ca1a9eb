import type { EventKind } from '#foundation/contract.ts'
import type { App } from './app.ts'
import type { Tx } from './database/transaction.ts'

/** An action of another feature when an event happens, in the very transaction of the event. */
export type Reaction = App['reactions'][number]

export const on = <Payload>(
  kind: EventKind<Payload>,
  run: (app: App, tx: Tx, payload: Payload) => Promise<void>,
): Reaction => ({ type: kind.type, run })

/** Calls the reactions of other features to an event; if a reaction throws, so does the act that caused the event. */
export async function emit<Payload>(
  app: App,
  tx: Tx,
  kind: EventKind<Payload>,
  payload: Payload,
): Promise<void> {
  for (const reaction of app.reactions) {
    if (reaction.type === kind.type) await reaction.run(app, tx, payload)
  }
}
