import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '#foundation/server/config.ts'
import { backUp } from '#foundation/server/backup/backup.ts'
import type { SealedFor } from '#foundation/server/backup/age/age.ts'
import type { OpenedBy } from '#foundation/server/backup/encryption.ts'
import { restore } from '#foundation/server/backup/restore.ts'
import { rowsIn } from '#foundation/server/backup/sums.ts'
import { verifyBackup } from '#foundation/server/backup/verify.ts'
import { openStorage } from '#foundation/server/storage/storage.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import type { Options } from './options.ts'
import { startProgress } from './progress.ts'

export async function backUpTo(
  { config, ownerUrl }: CommandEnvironment,
  file: string,
  { withKeys = false, recipient }: Options,
): Promise<Answer> {
  const isInBucket = config.bucket !== undefined
  const sealedFor: SealedFor | undefined =
    typeof recipient === 'string' ? { recipients: recipient.split(',') } : config.backup.sealedFor
  const secretKey = withKeys === true ? config.secretKey : undefined
  const progress = startProgress()
  const sums = await backUp({
    ownerUrl,
    file,
    storage: openStorage(config),
    isInBucket,
    sealedFor,
    secretKey,
    progress: ({ doing, rows, files }) => progress.say(`${doing}: ${rows} rows, ${files} files`),
  }).finally(progress.end)
  const rows = rowsIn(sums.tables)
  const lines = [`Wrote ${rows} rows and ${sums.files.count} files to ${file}.`]
  if (isInBucket)
    lines.push(
      `It lists the ${sums.bucket.count} files that the bucket must hold; the bucket itself is not in it.`,
    )
  if (sums.gone > 0) lines.push(`${sums.gone} files were removed meanwhile.`)
  if (!sealedFor) lines.push('It is not encrypted: it holds what customers wrote. Set BACKUP_RECIPIENTS.')
  if (!secretKey)
    lines.push(
      `The key of this installation is not in it. Keep ${keyOf(config)} apart: without it, two-factor secrets and waiting mails are lost.`,
    )
  return { lines, data: { file, rows, files: sums.files.count, bucket: sums.bucket.count, gone: sums.gone } }
}

const keyOf = ({ dataDir }: Config): string =>
  process.env['SECRET_KEY'] ? 'SECRET_KEY' : `a copy of ${dataDir}/secret-key`

export const openedBy = ({ backup }: Config, { identity }: Options): OpenedBy => ({
  passphrase: backup.sealedFor && 'passphrase' in backup.sealedFor ? backup.sealedFor.passphrase : undefined,
  identityFile: typeof identity === 'string' ? identity : undefined,
})

export async function verify(
  { config }: CommandEnvironment,
  file: string,
  options: Options,
): Promise<Answer> {
  const progress = startProgress()
  const { head, rows, sums, hasKeys } = await verifyBackup(file, openedBy(config, options), (read) =>
    progress.say(`${read} rows`),
  ).finally(progress.end)
  const { made_at } = head
  const files = sums.bucket.count > 0 ? `a list of ${sums.bucket.count} files` : `${sums.files.count} files`
  const jobs = sums.tables['jobs']?.count ?? 0
  const lines = [
    `Whole and undamaged: made ${made_at}, ${rows} rows in ${Object.keys(sums.tables).length} tables, ${jobs} jobs among them, ${files}.`,
    hasKeys ? 'The key of the installation is in it.' : 'The key of the installation is not in it.',
  ]
  return {
    lines,
    data: { file, made_at, rows, jobs, files: sums.files.count, bucket: sums.bucket.count, keys: hasKeys },
  }
}

export async function restoreFrom(
  { config, ownerUrl }: CommandEnvironment,
  file: string,
  options: Options,
): Promise<Answer> {
  const lines: string[] = []
  const progress = startProgress()
  const { rows, files, missing, made_at } = await restore({
    ownerUrl,
    file,
    by: openedBy(config, options),
    storage: openStorage(config),
    goesBack: true,
    keepKey: async (key) => void lines.push(keepKey(config, key)),
    progress: (doing, count) => progress.say(`${doing}: ${count} rows`),
  }).finally(progress.end)
  lines.unshift(`Restored ${rows} rows and ${files} files of ${made_at} from ${file}.`)
  if (lines.length === 1) lines.push('Start with the SECRET_KEY (or secret-key file) of then.')
  if (missing.length > 0)
    lines.push(`The bucket lacks ${missing.length} files that were in it then, such as ${missing[0]}.`)
  return { lines, data: { file, made_at, rows, files, missing }, failed: missing.length > 0 }
}

/** Replaces the key that was made for the empty database by the key of the backup. Returns a line that says what was done. */
function keepKey({ dataDir, secretKey }: Config, key: string): string {
  if (secretKey.reveal() === key) return 'The key in it is the present one.'
  const place = path.join(dataDir, 'secret-key')
  if (process.env['SECRET_KEY']) {
    writeFileSync(`${place}.restored`, `${key}\n`, { mode: 0o600 })
    return `Set SECRET_KEY to the key of then, which is in ${place}.restored.`
  }
  if (existsSync(place) && readFileSync(place, 'utf8').trim() !== key)
    renameSync(place, `${place}.before-restore`)
  writeFileSync(place, `${key}\n`, { mode: 0o600 })
  return `The key of then is in ${place}.`
}
