import { checkLedger } from '#features/finance/server/finance.ts'
import { restore } from '#foundation/server/backup/restore.ts'
import { emptyDatabase, makeDatabase, type Scratch } from '#foundation/server/backup/queries.ts'
import { errorCode } from '#foundation/server/error-code.ts'
import { Refused } from '#foundation/server/operator-errors.ts'
import type { Answer } from './answer.ts'
import { openedBy } from './backup.ts'
import type { CommandEnvironment } from './environment.ts'
import type { Options } from './options.ts'
import { startProgress } from './progress.ts'

/**
 * Restores a backup into a scratch database beside the real one, compares the rows of each table with the backup, checks the
 * ledger, and drops the scratch database. The files and keys in the backup are read, but not put anywhere.
 */
export async function drill(
  environment: CommandEnvironment,
  file: string,
  options: Options,
): Promise<Answer> {
  const begun = performance.now()
  const by = openedBy(environment.config, options)
  const scratch = await makeScratch(environment, options)
  const progress = startProgress()
  try {
    const { made_at, rows, sums } = await restore({
      ownerUrl: scratch.url,
      file,
      by,
      compare: true,
      progress: (doing, count) => progress.say(`${doing}: ${count} rows`),
    })
    progress.say('checking the ledger')
    const { transactions, damages } = await checkLedger(scratch.url)
    const took_s = Math.round((performance.now() - begun) / 1000)
    const jobs = sums.tables['jobs']?.count ?? 0
    const tables = Object.keys(sums.tables).length
    const lines = [
      `Backup:  ${file}, made ${made_at}`,
      `Rows:    ${rows} in ${tables} tables, the sums of each table equal`,
      `Jobs:    ${jobs}, equal`,
      damages.length === 0
        ? `Ledger:  in balance, ${transactions} transactions`
        : `Ledger:  ${damages.length} laws broken, as ${damages[0]?.law}`,
      `Files:   ${sums.bucket.count > 0 ? `${sums.bucket.count} listed, in the bucket` : `${sums.files.count} read, undamaged`}`,
      `Took:    ${took_s} s. The scratch database is gone; nothing else was touched.`,
    ]
    const data = { file, made_at, rows, tables, jobs, transactions, damages: damages.length, took_s }
    return { lines, data, failed: damages.length > 0 }
  } finally {
    progress.end()
    await scratch.drop()
  }
}

/** Returns an empty database: the one that `--database` names, or a new one beside the real database. */
async function makeScratch(
  { ownerUrl, adminUrl = ownerUrl }: CommandEnvironment,
  { database }: Options,
): Promise<Scratch> {
  if (typeof database === 'string') return { url: database, drop: () => emptyDatabase(database) }
  try {
    return await makeDatabase(adminUrl, ownerUrl)
  } catch (error) {
    if (errorCode(error) !== '42501') throw error
    throw new Refused(
      'The user of DATABASE_URL may not create databases. Give it CREATEDB, or name an empty database by --database.',
      { cause: error },
    )
  }
}
