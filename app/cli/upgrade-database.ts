import { upgradeEmbedded } from '#foundation/server/backup/upgrade-embedded.ts'
import { Refused } from '#foundation/server/operator-errors.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import { startProgress } from './progress.ts'

export async function upgradeDatabase(
  { config, log, ownerUrl }: CommandEnvironment,
  binaries: string,
): Promise<Answer> {
  if (ownerUrl !== '') throw new Refused('DATABASE_URL is set: upgrade that PostgreSQL by its own means.')
  const progress = startProgress()
  const upgraded = await upgradeEmbedded({
    dataDir: config.dataDir,
    binaries,
    log,
    progress: progress.say,
  }).finally(progress.end)
  const { from, rows, tables, kept, backup } = upgraded
  return {
    lines: [
      `Moved ${rows} rows of ${tables} tables from PostgreSQL ${from}, the sums of each table equal.`,
      `The old database is kept in ${kept}, a backup of it is ${backup}: remove both when all is well.`,
    ],
    data: upgraded,
  }
}
