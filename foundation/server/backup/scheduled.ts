import { readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import type { App } from '#foundation/server/app.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { makeFolder } from '#foundation/server/make-folder.ts'
import { keepObservation } from '#foundation/server/operation/queries.ts'
import { backUp } from './backup.ts'
import { rowsIn } from './sums.ts'

const LOOK_S = 300

export const jobs: readonly Job[] = [
  cronJob(jobKind('scheduled_backup', 'heavy'), LOOK_S, async (app) => {
    try {
      await scheduledBackup(app, new Date())
    } catch (error) {
      await keepObservation(app, 'backup_failed').catch(() => {})
      throw error
    }
  }),
]

/**
 * Backs up into BACKUP_DIR when the newest backup there is old enough, and removes the oldest ones. Returns the name of the
 * file; undefined where no backup is due or wanted.
 */
export async function scheduledBackup(app: App, now: Date): Promise<string | undefined> {
  const { dir, every_h, keep, sealedFor } = app.config.backup
  if (dir === undefined) return undefined
  makeFolder(dir, 0o700)
  removeCutOff(dir)
  const newest = backupsIn(dir, now).at(-1)
  if (newest && now.getTime() - newest.made_at.getTime() < every_h * 3_600_000 - LOOK_S * 500)
    return undefined
  const name = `hostdesk-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`
  const started = performance.now()
  const { tables, files } = await backUp({
    ownerUrl: app.ownerUrl,
    file: path.join(dir, name),
    storage: app.storage,
    isInBucket: app.config.bucket !== undefined,
    sealedFor,
  })
  const rows = rowsIn(tables)
  const took_s = Math.round((performance.now() - started) / 1000)
  app.log.info({ file: name, rows, files: files.count, took_s }, 'backup made')
  for (const old of backupsIn(dir, now).slice(0, -keep)) rmSync(path.join(dir, old.name), { force: true })
  return name
}

// Another process may be writing its own at this moment.
const CUT_OFF_ms = 3_600_000

/** Removes what backups of this job left that were cut off: a file that nobody has written to for an hour. */
function removeCutOff(dir: string): void {
  for (const name of readdirSync(dir)) {
    if (!/^hostdesk-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup\.incomplete$/.test(name)) continue
    const file = path.join(dir, name)
    const written = statSync(file, { throwIfNoEntry: false })
    if (written && Date.now() - written.mtimeMs > CUT_OFF_ms) rmSync(file, { force: true })
  }
}

/**
 * Returns the backups that this job made, oldest first; other files in the folder are ignored. A backup of the future, made while the clock
 * ran ahead, counts as the oldest: else none would be made until then, or the newest would be removed.
 */
function backupsIn(dir: string, now: Date): { name: string; made_at: Date }[] {
  return readdirSync(dir)
    .toSorted()
    .flatMap((name) => {
      const [, day, time] = /^hostdesk-(\d{4}-\d\d-\d\d)T(\d\d-\d\d-\d\d)Z\.backup$/.exec(name) ?? []
      return day && time ? [{ name, made_at: new Date(`${day}T${time.replaceAll('-', ':')}Z`) }] : []
    })
    .toSorted((one, other) => Number(one.made_at <= now) - Number(other.made_at <= now))
}
