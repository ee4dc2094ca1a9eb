import type pg from 'pg'
import type { Config } from '#foundation/server/config.ts'
import { lastBackup } from '#foundation/server/backup/queries.ts'
import { lastObserved } from '#foundation/server/operation/queries.ts'
import { refusalOfMaking } from '#foundation/server/backup/try-folder.ts'
import { databaseOn } from '#foundation/server/database/with-connection.ts'
import { queuedMails } from '#foundation/server/mail/waiting-queries.ts'
import { jobsDueTooLate, type Repeated } from '#foundation/server/jobs/clock-queries.ts'
import { livingProcesses, queueFigures } from '#foundation/server/jobs/queries.ts'
import { Warning } from './warning.ts'

const LATE_S = 60
const STUCK_S = 300

/** Counts the processes that do jobs by the locks that they hold, because the table may still list processes that have died. */
export async function examineWorkers(client: pg.Client, { production }: Config): Promise<string> {
  const count = await livingProcesses(client)
  if (count > 0) return count === 1 ? 'one process does jobs' : `${count} processes do jobs`
  const line =
    'no process does jobs: no mail leaves and nothing renews. Start one with ROLE=worker or ROLE=all'
  throw production ? new Error(line) : new Warning(line)
}

/** Examines the age of the last backup, wherever it was made. Throws if a scheduled backup is late by more than half its period. */
export async function examineBackups(client: pg.Client, { production, backup }: Config): Promise<string> {
  const last = await lastBackup(databaseOn(client))
  const { dir, every_h } = backup
  if (!last && !production && dir === undefined) return 'none were made; BACKUP_DIR is not set'
  const refusal = dir === undefined ? undefined : refusalOfMaking(dir)
  if (refusal !== undefined) throw new Error(refusal)
  const failed_at = dir === undefined ? undefined : await lastObserved(client, 'backup_failed')
  if (failed_at && (!last || failed_at > last.made_at))
    throw new Error(
      `a process could not make one on ${failed_at.toISOString()}, though this command could write to ${dir}: see its log (BACKUP_DIR, scheduled_backup). A unit of systemd must name the folder in ReadWritePaths.`,
    )
  const advice = dir === undefined ? '. Set BACKUP_DIR, or see to them yourself' : ''
  if (!last) throw new Warning(`none was ever made${advice}`)
  const age_h = (Date.now() - last.made_at.getTime()) / 3_600_000
  if (age_h < -1)
    throw new Warning(
      `the last says that it is made in ${Math.round(-age_h)} h: ${last.file}. The clock ran ahead; the next is made when one is due`,
    )
  const line = `the last is ${age_h < 1 ? 'less than an hour' : `${Math.round(age_h)} h`} old: ${last.file}`
  if (dir !== undefined && age_h > every_h * 1.5)
    throw new Error(`${line}. One is due every ${every_h} h: look for scheduled_backup in the log.`)
  if (dir === undefined && age_h > 48) throw new Warning(`${line}${advice}`)
  return line
}

/** Warns of mails that do not leave: nobody gets keys for passwords meanwhile. */
export async function examineOutbox(client: pg.Client): Promise<string> {
  const { count, oldest_s, last_error } = await queuedMails(databaseOn(client))
  if (count === 0) return 'no mail waits'
  const line = `${count} ${count === 1 ? 'mail waits' : 'mails wait'}, the oldest for ${Math.round(oldest_s)} s`
  if (oldest_s <= STUCK_S) return line
  const reason = last_error === null ? 'none was tried' : `the server said: ${last_error}`
  throw new Warning(
    `${line}; ${reason}. They go at once when the server takes one again, those of security first`,
  )
}

export async function examineQueue(client: pg.Client, repeated: Repeated): Promise<string> {
  const queue = await queueFigures(databaseOn(client))
  const [oldest] = queue.filter(({ due }) => due > 0).toSorted((one, other) => other.oldest_s - one.oldest_s)
  const given_up = queue.filter(({ given_up: count }) => count > 0)
  const due = queue.reduce((sum, one) => sum + one.due, 0)
  const line = oldest
    ? `${due} jobs are due, the oldest (${oldest.name}) since ${Math.round(oldest.oldest_s)} s`
    : 'nothing is due'
  if (oldest && oldest.oldest_s > STUCK_S)
    throw new Error(`${line}. Start another worker, or look for failed jobs in the log.`)
  const [late] = await jobsDueTooLate(client, repeated)
  if (late)
    throw new Warning(
      `${line}; ${late.name} is due in ${Math.round(late.due_s)} s and may wait ${Math.round(late.wait_s)} s: the clock ran ahead. A process that does jobs mends this within a minute`,
    )
  if (given_up.length > 0)
    throw new Warning(
      `${line}; given up: ${given_up.map(({ name, given_up: count }) => `${count} ${name}`).join(', ')}`,
    )
  if (oldest && oldest.oldest_s > LATE_S) throw new Warning(line)
  return line
}
