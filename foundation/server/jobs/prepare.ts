import { Logger, runMigrations } from 'graphile-worker'

/**
 * Brings the queue's own schema (`graphile_worker`) to the version of this release. Called by `migrate` under its lock.
 */
export async function prepareJobs(ownerUrl: string): Promise<void> {
  await runMigrations({ connectionString: ownerUrl, maxPoolSize: 2, logger: silent })
}

const silent = new Logger(() => () => {})
