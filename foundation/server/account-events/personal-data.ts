import type { PersonalData } from '#foundation/server/personal-data.ts'
import { envelopeOf, eventsAfter } from './account-events.ts'
import type { AccountEvent } from './contract.ts'
import { readAfter } from './queries.ts'

const AT_ONCE = 1000

/** The events of an account that has a list, in their order. */
export const personalData: PersonalData = async (app, tx, user_id) => {
  const list = await readAfter(tx, user_id, { after: undefined, limit: 0 })
  return list ? { 'events.json': () => allEvents(app.db, user_id) } : {}
}

async function allEvents(db: Parameters<typeof eventsAfter>[0], user_id: string): Promise<AccountEvent[]> {
  const all: AccountEvent[] = []
  for (let seq: number | undefined; ;) {
    const page = await eventsAfter(db, user_id, seq, { limit: AT_ONCE })
    all.push(...page.events.map(envelopeOf))
    if (!page.hasMore) return all
    seq = page.seq
  }
}
