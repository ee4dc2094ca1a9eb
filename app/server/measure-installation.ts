import { statfsSync } from 'node:fs'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { backupFigures } from '#foundation/server/backup/figures.ts'
import { droppedLogLines } from '#foundation/server/log-output.ts'
import { MOST_LAG_S, type Replica } from '#foundation/server/database/replica.ts'
import { jobFigures } from '#foundation/server/jobs/figures.ts'
import { mailFigures } from '#foundation/server/mail/figures.ts'
import { isAnswering } from '#foundation/server/operation/queries.ts'
import { showFigures } from '#foundation/server/operation/figures.ts'
import { gauge, gauges, measureProcess } from '#foundation/server/operation/metrics.ts'
import { countStreams } from '#foundation/server/realtime/hub.ts'
import { figures } from './features.ts'
import { installationOf } from './installation.ts'

/** Adds figures of the process, its pool and the whole installation to `/metrics`. Other files add figures of their own. */
export function measureInstallation(app: App): void {
  measureProcess()
  measurePool(app)
  gauge('hostdesk_streams_open', 'Open live streams of this process.', () => countStreams(app))
  gauge('hostdesk_log_lines_dropped', 'Lines of the log that this process could not write.', droppedLogLines)
  gauge('process_uptime_seconds', 'Age of the process.', () => Math.round(process.uptime()))
  if (app.replica) measureReplica(app.replica)
  measureDisk(app)
  showBuild(app)
  const { dir, every_h } = app.config.backup
  if (dir !== undefined)
    gauge('hostdesk_backup_period_seconds', 'How often BACKUP_EVERY_H wants a backup.', () => every_h * 3600)
  showFigures(app, [jobFigures, mailFigures, backupFigures, ...figures])
}

function measurePool({ pool }: App): void {
  gauge('hostdesk_database_connections', 'Open database connections.', () => pool.totalCount)
  gauge(
    'hostdesk_database_connections_idle',
    'Open database connections that wait for work.',
    () => pool.idleCount,
  )
  gauge(
    'hostdesk_database_connections_most',
    'Database connections that the pool may open.',
    () => pool.options.max,
  )
  gauge('hostdesk_database_waiting', 'Requests waiting for a database connection.', () => pool.waitingCount)
  gauge('hostdesk_database_up', '1 where the database answers, else 0.', () => isAnswering(pool))
}

function measureReplica({ lag_s }: Replica): void {
  gauge('hostdesk_replica_usable', '1 where DATABASE_READ_URL answers lists now, else 0.', () =>
    (lag_s() ?? Infinity) < MOST_LAG_S ? 1 : 0,
  )
  // `must` throws while the replica is away, and so the figure is left out.
  gauge('hostdesk_replica_lag_seconds', 'How old the rows of DATABASE_READ_URL may be.', () => must(lag_s()))
}

/** Measures the disk of DATA_DIR, which holds all files, or with a bucket at least the uploads in progress. */
function measureDisk({ config: { dataDir } }: App): void {
  const read = () => statfsSync(dataDir)
  gauge(
    'hostdesk_data_dir_free_bytes',
    'Free bytes on the disk of DATA_DIR.',
    () => read().bavail * read().bsize,
  )
  gauge('hostdesk_data_dir_bytes', 'Bytes of the disk of DATA_DIR.', () => read().blocks * read().bsize)
}

/** Shows the versions that run as labels, which a dashboard can join to each other figure of the process. */
function showBuild(app: App): void {
  const labels = { version: installationOf(app).version, node: process.version, role: app.config.role }
  gauges('hostdesk_build_info', 'What runs here; always 1.', ['version', 'node', 'role'], async () => [
    { labels, value: 1 },
  ])
}
