import type { App } from '#foundation/server/app.ts'
import {
  eventsAfter,
  newestNumbers,
  OPERATOR,
  readOne,
} from '#foundation/server/account-events/account-events.ts'
import { isSuccess, MOST_ATTEMPTS } from '#features/webhooks/rules.ts'
import type { Attempt, Endpoint } from '#features/webhooks/contract.ts'
import type { AttemptRow } from './attempt-queries.ts'
import { messageOf } from './messages.ts'
import type { Owner, ShownEndpoint } from './queries.ts'
import { headersOf, USUAL_HEADERS } from './send.ts'

type Db = App['db']

const time = (at: Date | null) => at?.toISOString() ?? null

/** Endpoints of one owner as they see them. */
export async function endpointReplies(
  db: Db,
  owner: Owner,
  rows: readonly ShownEndpoint[],
): Promise<Endpoint[]> {
  const list = owner ?? OPERATOR
  const newest = rows.length === 0 ? 0 : ((await newestNumbers(db, [list])).get(list) ?? 0)
  return rows.map((row) => ({
    id: row.id,
    url: row.url,
    description: row.description,
    types: row.types,
    host_ids: row.host_ids,
    state: row.state,
    disabled_why: row.disabled_why,
    created_at: row.created_at.toISOString(),
    last_ok_at: time(row.last_ok_at),
    failing_since: time(row.failing_since),
    next_at: row.state === 'enabled' ? time(row.next_at) : null,
    waiting: Math.max(0, newest - Number(row.seq)),
    recent: { succeeded: row.succeeded, failed: row.failed },
    skipped: row.skipped.map(Number),
    missed_at: time(row.missed_at),
    version: row.version,
    old_secret_until:
      row.old_secret_until && row.old_secret_until > new Date() ? time(row.old_secret_until) : null,
  }))
}

/** Attempts with their requests; the bodies of events are read from the list, where they are kept for 30 days. */
export async function attemptReplies(db: Db, owner: Owner, rows: readonly AttemptRow[]): Promise<Attempt[]> {
  const bodies = await bodiesOf(
    db,
    owner ?? OPERATOR,
    rows.flatMap(({ seq }) => (seq === null ? [] : [Number(seq)])),
  )
  return rows.map((row) => {
    const { number, seq, event_id, type, at, took_ms, status, answer_headers, answer } = row
    return {
      number: Number(number),
      seq: seq === null ? null : Number(seq),
      event_id,
      type,
      at: at.toISOString(),
      took_ms,
      is_ok: isSuccess(status ?? undefined),
      request: {
        url: row.url,
        headers: { ...USUAL_HEADERS, ...headersOf(row) },
        body: row.body ?? (seq === null ? null : (bodies.get(Number(seq)) ?? null)),
      },
      answer: status === null ? null : { status, headers: answer_headers ?? {}, body: answer ?? '' },
      failure: row.failure,
    }
  })
}

/** The bodies of events by their numbers. Most stand side by side, and come by one statement. */
async function bodiesOf(db: Db, list: string, numbers: readonly number[]): Promise<Map<number, string>> {
  const bodies = new Map<number, string>()
  if (numbers.length === 0) return bodies
  const { events } = await eventsAfter(db, list, Math.min(...numbers) - 1, { limit: 2 * MOST_ATTEMPTS })
  for (const event of events) bodies.set(event.seq, messageOf(event).body)
  for (const seq of new Set(numbers.filter((one) => !bodies.has(one)))) {
    const event = await readOne(db, list, seq)
    if (event) bodies.set(seq, messageOf(event).body)
  }
  return bodies
}
