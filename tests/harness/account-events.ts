// The events of an account, as its programs read them, and the statements of an act.
import pg from 'pg'
import {
  eventsAfter,
  envelopeOf,
  numberOperatorEvents,
} from '#foundation/server/account-events/account-events.ts'
import type { AccountEvent } from '#foundation/server/account-events/contract.ts'
import type { TestApp } from './test-app.ts'

/** All events of a list, in their order. */
export async function eventsOf({ app }: Pick<TestApp, 'app'>, owner: string): Promise<AccountEvent[]> {
  await numberOperatorEvents(app)
  const { events } = await eventsAfter(app.db, owner, undefined, { limit: 5000 })
  return events.map(envelopeOf)
}

/** Returns the statements that `work` sends to the database, from all connections of this process. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = []
  const original: unknown = Reflect.get(pg.Client.prototype, 'query')
  if (typeof original !== 'function') throw new Error('pg has no query')
  function query(this: unknown, ...given: unknown[]): unknown {
    const [first] = given
    sent.push(typeof first === 'string' ? first : String(Reflect.get(Object(first), 'text')))
    return Reflect.apply(Object(original), this, given)
  }
  Reflect.set(pg.Client.prototype, 'query', query)
  try {
    await work()
  } finally {
    Reflect.set(pg.Client.prototype, 'query', original)
  }
  return sent
}
