import { backUp } from '#foundation/server/backup/backup.ts'
import { restore } from '#foundation/server/backup/restore.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'

export async function backUpTo({ config, ownerUrl }: CommandEnvironment, file: string): Promise<Answer> {
  const rows = await backUp(ownerUrl, file)
  const lines = [`Wrote ${rows} rows to ${file}.`]
  if (!config.bucket) lines.push(`Copy ${config.dataDir}/files now, too: what customers uploaded lies there.`)
  if (!process.env['SECRET_KEY'])
    lines.push(
      `Keep a copy of ${config.dataDir}/secret-key apart from it: without the key, two-factor secrets in it are lost.`,
    )
  return { lines, data: { file, rows } }
}

export async function restoreFrom({ ownerUrl }: CommandEnvironment, file: string): Promise<Answer> {
  const rows = await restore(ownerUrl, file)
  const line = `Restored ${rows} rows from ${file}. Start with the SECRET_KEY (or secret-key file) of then.`
  return { lines: [line], data: { file, rows } }
}
