import { backUp } from '#foundation/server/backup/backup.ts'
import { restore } from '#foundation/server/backup/restore.ts'
import type { CommandEnvironment } from './environment.ts'

export async function backUpTo({ config, ownerUrl }: CommandEnvironment, file: string): Promise<void> {
  const rows = await backUp(ownerUrl, file)
  process.stdout.write(`Wrote ${rows} rows to ${file}.\n`)
  if (!config.bucket)
    process.stdout.write(`Copy ${config.dataDir}/files now, too: what customers uploaded lies there.\n`)
  if (process.env['SECRET_KEY']) return
  process.stdout.write(
    `Keep a copy of ${config.dataDir}/secret-key apart from it: without the key, two-factor secrets in it are lost.\n`,
  )
}

export async function restoreFrom({ ownerUrl }: CommandEnvironment, file: string): Promise<void> {
  const rows = await restore(ownerUrl, file)
  process.stdout.write(
    `Restored ${rows} rows from ${file}. Start with the SECRET_KEY (or secret-key file) of then.\n`,
  )
}
