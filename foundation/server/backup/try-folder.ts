import { accessSync, constants, existsSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { App } from '#foundation/server/app.ts'
import { messageOf } from '#foundation/server/error-code.ts'
import { makeFolder } from '#foundation/server/make-folder.ts'
import { keepObservation } from '#foundation/server/operation/queries.ts'

/** Writes a file into the folder of backups and removes it. Returns the reason where that fails, for the operator. */
function refusalOf(dir: string): string | undefined {
  const probe = path.join(dir, `.trial-${process.pid}`)
  try {
    writeFileSync(probe, 'written by a trial, and removed by it', { mode: 0o600 })
    rmSync(probe)
    return undefined
  } catch (error) {
    return refused(dir, error)
  }
}

/** Does not make the folder: whoever asks may be another user than the process that makes backups. */
export function refusalOfMaking(dir: string): string | undefined {
  if (existsSync(dir)) return refusalOf(dir)
  try {
    // The last slash: a file in the place of a folder is refused, too.
    accessSync(`${nearest(dir)}/`, constants.W_OK)
    return undefined
  } catch (error) {
    return refused(dir, error)
  }
}

const nearest = (folder: string): string => (existsSync(folder) ? folder : nearest(path.dirname(folder)))

const refused = (dir: string, error: unknown) =>
  `BACKUP_DIR: no backup can be written to ${dir}: ${messageOf(error)}. Make the folder and give it to the user of this process; a unit of systemd also names it in ReadWritePaths.`

/** Tries the folder of backups at the start of a process that makes them: else the first night would tell. */
export async function tryBackupFolder(app: App): Promise<void> {
  const { dir } = app.config.backup
  if (dir === undefined || app.config.role === 'web') return
  let reason: string | undefined
  try {
    makeFolder(dir, 0o700)
    reason = refusalOf(dir)
  } catch (error) {
    reason = refused(dir, error)
  }
  if (reason === undefined) return
  process.stderr.write(`hostdesk: ${reason}\n`)
  app.log.error({ dir }, reason)
  await keepObservation(app, 'backup_failed')
}
