import { sql, type RawBuilder } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import { must } from '#foundation/must.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { alerts, gathered, type AlertRow } from './alert-turn-queries.ts'
import { silence } from './queries.ts'

// The watch says so often that it is there, and a gap this long was an outage of ours, or a jump of the clock.
const beat = sql`interval '5 seconds'`
const outage = sql`interval '30 seconds'`
/** Silence does not count for so long after an outage: the agents come back meanwhile, the patient ones a little later. */
const hold = sql`interval '3 minutes'`
const patience = sql`make_interval(secs => greatest(0, a.interval_s - 150))`
// A clock that ran ahead and came back leaves times in the future.
const isAhead = sql`beat_at > now() + interval '2 seconds'`

export type Work = { beats: boolean; is_due: boolean; is_to_tell: boolean }

/** Says what there is to do, by one probe of small indices. */
export async function workToDo({ db }: App): Promise<Work> {
  const { rows } = await sql<Work>`
    select beat_at < now() - ${beat} or ${isAhead} as beats,
      exists (select from host_agents where alert_at <= now()) as is_due,
      exists (select from alert_incidents where tell_at <= now()) as is_to_tell
    from alert_watch`.execute(db)
  return must(rows[0])
}

/**
 * Says that somebody watches, and holds alerts after an outage. All agents of several accounts are silent at once where nothing reaches us:
 * that is an outage of ours, too. Returns true if the clock went back.
 */
export async function noteWatch(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ went_back: boolean }>`
    with before as materialized (select beat_at, ${isAhead} as went_back from alert_watch for update)
    update alert_watch w set beat_at = now(), hold_until = case
      when b.went_back or b.beat_at < now() - ${outage}
        or (not exists (select from host_agents where look_at is not null) and (
          select count(distinct user_id) from (select user_id from host_agents where alert_at is not null limit 50) silent) >= 3)
        then now() + ${hold} else least(w.hold_until, now() + ${hold}) end
    from before b returning b.went_back`.execute(tx)
  return must(rows[0]).went_back
}

/** A time of an agent, but none later than this; what is null stays so, which `least` alone would not do. */
const noLater = (name: string, than: RawBuilder<unknown>) =>
  sql`case when a.${sql.ref(name)} is not null then least(a.${sql.ref(name)}, ${than}) end`

/** Brings times in the future back to now, after the clock went back: otherwise nothing would be due until it comes there again. */
export async function comeBack(tx: Tx): Promise<void> {
  await sql`
    with ahead as (
      select host_id from host_agents a
      where last_seen_at > now() or disk_since > now() or look_at > now() + ${silence}
        or alert_at > now() + make_interval(mins => offline_minutes) order by host_id for update)
    update host_agents a set last_seen_at = ${noLater('last_seen_at', sql`now()`)}, disk_since = ${noLater('disk_since', sql`now()`)},
      look_at = ${noLater('look_at', sql`now() + ${silence}`)},
      alert_at = ${noLater('alert_at', sql`now() + make_interval(mins => a.offline_minutes)`)}
    from ahead where a.host_id = ahead.host_id`.execute(tx)
  await sql`update alert_incidents set tell_at = ${gathered} where tell_at > ${gathered} and
    (opened_at > now() or closed_at > now() or opening_told_at > now())`.execute(tx)
}

/**
 * Opens alerts for agents that have been silent for too long. Agents that came back are looked at no more; suspended servers later.
 * Nothing opens while nobody watched a moment ago, so that a process that stood still does not open alerts for an outage.
 */
export async function openOffline(tx: Tx, limit: number): Promise<AlertRow[]> {
  return alerts(
    tx,
    sql`due as materialized (
      select a.host_id, a.user_id, a.last_seen_at, a.look_at is null and a.offline_minutes > 0 as is_silent,
        a.last_seen_at + make_interval(mins => a.offline_minutes) as at,
        exists (select from suspension_of(a.host_id)) as is_suspended
      from host_agents a
      where a.alert_at <= now() and (select hold_until + ${patience} <= now() and beat_at > now() - ${outage} from alert_watch)
      order by a.alert_at limit ${limit} for update of a skip locked),
    moved as (
      update host_agents a set alert_at = case when not d.is_silent then null
        when d.at > now() then d.at when d.is_suspended then now() + interval '5 minutes' end
      from due d where a.host_id = d.host_id),
    found as (
      insert into alert_incidents (host_id, user_id, kind, since, opened_at, tell_at)
      select host_id, user_id, 'offline', last_seen_at, now(), ${gathered} from due
      where is_silent and at <= now() and not is_suspended
      on conflict do nothing returning *)`,
  )
}

/** Forgets alerts that closed over a year ago. */
export async function forgetOld(tx: Tx): Promise<void> {
  await sql`delete from alert_incidents where closed_at < now() - interval '400 days'`.execute(tx)
}
