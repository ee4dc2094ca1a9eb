import { sql } from 'kysely'
import { OPERATOR } from '#foundation/server/account-events/account-events.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { MOST_ATTEMPTS } from '#features/webhooks/rules.ts'

type Db = App['db']

export type NewAttempt = {
  endpoint_id: string
  user_id: string | null
  seq: number | null
  event_id: string
  type: string
  url: string
  at: Date
  took_ms: number
  signature: string
  body: string | null
  status: number | null
  answer_headers: Readonly<Record<string, string>> | null
  answer: string | null
  failure: string | null
}
export type AttemptRow = Omit<NewAttempt, 'seq'> & { number: bigint; seq: bigint | null }

/** The effect of an attempt on its endpoint. A test that failed, or an event sent again, says nothing of the events that wait. */
type Effect = 'delivered' | 'failed' | 'none'

/**
 * Writes an attempt over the oldest of 50, and what it says of the endpoint. Returns its number; undefined if the endpoint is deleted.
 */
export async function noteAttempt(tx: Tx, attempt: NewAttempt, effect: Effect): Promise<bigint | undefined> {
  const isOk = effect === 'delivered'
  const { endpoint_id, user_id, seq, event_id, type, url, at, took_ms, signature, body, status } = attempt
  const { rows } = await sql<{ number: bigint }>`
    with counted as (
      update webhook_endpoints set attempts = attempts + 1,
        last_ok_at = case when ${isOk} then now() else last_ok_at end,
        failing_since = case when ${isOk} then null when ${effect === 'failed'} then coalesce(failing_since, now()) else failing_since end,
        warned_at = case when ${isOk} then null else warned_at end
      where id = ${endpoint_id}::uuid returning attempts as number)
    insert into webhook_attempts as a (endpoint_id, slot, user_id, number, seq, event_id, type, url, at, took_ms, signature, body, status,
      answer_headers, answer, failure)
    select ${endpoint_id}::uuid, number % ${MOST_ATTEMPTS}::int, ${user_id}::uuid, number, ${seq}::bigint, ${event_id}, ${type}, ${url},
      ${at}, ${took_ms}::int, ${signature}, ${body}, ${status}::smallint, ${attempt.answer_headers ? JSON.stringify(attempt.answer_headers) : null}::jsonb,
      ${attempt.answer}, ${attempt.failure}
    from counted
    on conflict (endpoint_id, slot) do update set (number, seq, event_id, type, url, at, took_ms, signature, body, status, answer_headers,
      answer, failure) = (excluded.number, excluded.seq, excluded.event_id, excluded.type, excluded.url, excluded.at, excluded.took_ms,
      excluded.signature, excluded.body, excluded.status, excluded.answer_headers, excluded.answer, excluded.failure)
    returning number`.execute(tx)
  return rows[0]?.number
}

/** The attempts that are kept of an endpoint, the newest first. */
export async function attemptsOf(db: Db, endpoint_id: string): Promise<AttemptRow[]> {
  const { rows } = await sql<AttemptRow>`
    select endpoint_id, user_id, number, seq, event_id, type, url, at, took_ms, signature, body, status, answer_headers, answer, failure
    from webhook_attempts where endpoint_id = ${endpoint_id}::uuid order by number desc`.execute(db)
  return rows
}

/** The numbers of the operator's events to which an answer is kept. */
export async function answeredNumbers(db: Db): Promise<number[]> {
  const { rows } = await sql<{ seq: bigint }>`
    select distinct a.seq from webhook_endpoints e join webhook_attempts a on a.endpoint_id = e.id
    where e.user_id is null and a.seq is not null and a.answer_headers is not null`.execute(db)
  return rows.map(({ seq }) => Number(seq))
}

/** Forgets the answers to events whose content was removed: a receiver may have answered with it. */
export async function forgetAnswers(
  tx: Tx,
  events: readonly { list_id: string; seq: number }[],
): Promise<void> {
  if (events.length === 0) return
  const lists = events.map(({ list_id }) => (list_id === OPERATOR ? null : list_id))
  const seqs = events.map(({ seq }) => String(seq))
  await sql`update webhook_attempts a set answer = case when status is null then null else '' end, answer_headers = null
    from unnest(${lists}::uuid[], ${seqs}::bigint[]) as e (list_id, seq)
    where a.user_id is not distinct from e.list_id and a.seq = e.seq`.execute(tx)
}
