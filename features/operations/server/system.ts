import * as contract from '#features/operations/contract.ts'
import { statfs } from 'node:fs/promises'
import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { lastBackup } from '#foundation/server/backup/queries.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { notFound } from '#foundation/server/http/http-error.ts'
import type { Caller } from '#foundation/server/http/caller.ts'
import {
  dropFailedJob,
  failedJobs,
  retryFailedJob,
  countProcesses,
  queueFigures,
} from '#foundation/server/jobs/queries.ts'
import { deadMails, retryMail } from '#foundation/server/mail/dead-mails.ts'
import { countMails } from '#foundation/server/mail/queries.ts'
import { queuedMails } from '#foundation/server/mail/waiting-queries.ts'
import { versionsOf } from '#foundation/server/operation/queries.ts'
import { countStreams } from '#foundation/server/realtime/hub.ts'
import { programVersion } from '#foundation/server/release.ts'
import { sellerFacts } from './seller-facts.ts'
import { setupOf } from './setup.ts'
import { lacksPlan } from '#features/licences/server/licences.ts'
import { keptBytesOfAll } from '#features/support/files/server/files.ts'

/** Answers `GET /api/staff/system/`. */
export const read = handler(contract.readSystem, async ({ app }) => {
  const { db, config } = app
  const [versions, processes, figures, owed, noPlan, dead, backup, stored_bytes, disk, seller, setup] =
    await Promise.all([
      versionsOf(db),
      countProcesses(db),
      queueFigures(db),
      queuedMails(db),
      lacksPlan(db, config),
      countMails(app, 'dead'),
      lastBackup(db),
      keptBytesOfAll(db),
      statfs(config.dataDir),
      sellerFacts(app),
      setupOf(config, db),
    ])
  const queue = figures.map(({ name, due, running, given_up, oldest_s }) => ({
    name,
    waiting: due,
    running,
    failed: given_up,
    oldest_s: due > 0 ? Math.round(oldest_s) : 0,
  }))
  const facts = {
    processes,
    queue: queue.toSorted((one, other) => one.name.localeCompare(other.name, 'en')),
    mails: { owed: owed.count, dead },
    disk: { free_bytes: disk.bavail * disk.bsize, total_bytes: disk.blocks * disk.bsize },
    last_backup_at: backup?.made_at.toISOString() ?? null,
  }
  const body: contract.System = {
    version: programVersion,
    node: process.version,
    ...versions,
    ...facts,
    stored_bytes,
    streams: countStreams(app),
    warnings: warningsOf(app, facts, { ...seller, oldestMail_s: owed.oldest_s, noPlan }),
    setup,
    ...seller.shown,
    settings: [...config.warnings],
    missing: [...config.missing],
  }
  return { status: 200, body }
})

type Facts = Pick<contract.System, 'processes' | 'queue' | 'mails' | 'disk' | 'last_backup_at'>
type SellerFacts = Awaited<ReturnType<typeof sellerFacts>>
type Warning = contract.System['warnings'][number]
type More = SellerFacts & { oldestMail_s: number; noPlan: boolean }

const LATE_S = 300
const BACKUP_LATE_MS = 26 * 3_600_000

/** Returns the warnings to the operator. The limits are those of the command `doctor`. */
function warningsOf({ config }: App, facts: Facts, { states, lacksRate, ...more }: More): Warning[] {
  const { processes, queue, mails, disk, last_backup_at } = facts
  const found: Record<Warning, boolean> = {
    no_worker: processes === 0,
    queue_late: queue.some(({ oldest_s }) => oldest_s > LATE_S),
    jobs_failed: queue.some(({ failed: count }) => count > 0),
    mails_dead: mails.dead > 0,
    mails_waiting: more.oldestMail_s > LATE_S,
    backup_missing: last_backup_at === null && (config.production || config.backup.dir !== undefined),
    backup_late: last_backup_at !== null && Date.now() - Date.parse(last_backup_at) > BACKUP_LATE_MS,
    rates_missing: lacksRate,
    limit_near: states.includes('near'),
    limit_passed: states.includes('passed'),
    disk_low: disk.free_bytes < disk.total_bytes / 10,
    no_plan: more.noPlan,
  }
  return contract.warnings.filter((warning) => found[warning])
}

/** Answers `GET /api/staff/system/jobs/failed/`. */
export const failed = handler(contract.listFailedJobs, async ({ app }) => {
  const rows = await failedJobs(app.db)
  const items = rows.map(({ id, last_error, ...row }) => ({
    ...row,
    id: String(id),
    last_error: last_error ?? '',
  }))
  return { status: 200, body: { items } }
})

/** Answers `POST /api/staff/system/jobs/{jobId}/retry/`. */
export const retry = handler(contract.retryJob, ({ app, actor, caller, params: { jobId } }) =>
  transaction(app, 'system', async (tx) => {
    const name = await retryFailedJob(tx, jobId)
    await record(tx, 'job.retried', { by: actor.user_id, job_id: jobId, name }, caller)
    return { status: 204 } as const
  }),
)

/** Answers `DELETE /api/staff/system/jobs/{jobId}/`. */
export const drop = handler(contract.dropJob, ({ app, actor, caller, params: { jobId } }) =>
  transaction(app, 'system', async (tx) => {
    const name = await dropFailedJob(tx, jobId)
    await record(tx, 'job.dropped', { by: actor.user_id, job_id: jobId, name }, caller)
    return { status: 204 } as const
  }),
)

/** Answers `GET /api/staff/system/mails/`. */
export const dead = handler(contract.listDeadMails, async ({ app }) => {
  const rows = await deadMails(app.db)
  const items = rows.map(({ id, to_address: to, letter: template, attempts, last_error, created_at }) => ({
    id,
    to,
    template,
    attempts,
    last_error: last_error ?? '',
    created_at: created_at.toISOString(),
  }))
  return { status: 200, body: { items } }
})

/** Answers `POST /api/staff/system/mails/{mailId}/retry/`. */
export const resend = handler(contract.retryDeadMail, ({ app, actor, caller, params: { mailId } }) =>
  transaction(app, 'system', async (tx) => {
    const name = await retryMail(app, tx, mailId)
    await record(tx, 'mail.retried', { by: actor.user_id, mail_id: mailId, name }, caller)
    return { status: 204 } as const
  }),
)

type Detail = { by: string; name: string | undefined; job_id?: string; mail_id?: string }

/** Writes the action to the audit. Throws 404 if no job or mail was found: a colleague has handled it already, or it never failed. */
async function record(
  tx: Tx,
  act: 'job.retried' | 'job.dropped' | 'mail.retried',
  detail: Detail,
  caller: Caller,
): Promise<void> {
  if (detail.name === undefined) throw notFound()
  await recordAction(tx, { user_id: null, act, ...originOf(caller), detail })
}
