import { spawn, type ChildProcess } from 'node:child_process'
import { on, once } from 'node:events'
import type { Readable } from 'node:stream'
import { afterAll, expect } from 'vitest'
import type { App } from '#foundation/server/app.ts'
import { reapDeadWorkers } from '#foundation/server/jobs/queries.ts'
import { poolAt } from './pools.ts'

/**
 * Starts a process that does the jobs of an app and that a test can kill. It ends with the test file at the latest. After a kill, what it had
 * taken is free at once: the other processes would notice the death by themselves within six seconds, as foundation/server/mail/kill.test.ts
 * shows, which kills `unnoticed`.
 */
export async function spawnWorker(
  { ownerUrl, config }: App,
  settings: Record<string, string> = {},
): Promise<{ kill(how?: 'unnoticed'): Promise<void> }> {
  const worker = spawn(process.execPath, ['tests/harness/worker-process.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: ownerUrl,
      PUBLIC_ORIGIN: 'http://localhost:3000',
      DATA_DIR: config.dataDir,
      SECRET_KEY: config.secretKey.reveal(),
      DEMO: 'off',
      ...settings,
    },
  })
  workers.push(worker)
  const process_id = await saidBy(worker.stdout)
  return {
    async kill(how) {
      worker.kill('SIGKILL')
      await once(worker, 'exit')
      if (how !== 'unnoticed') await noticed(ownerUrl, process_id)
    },
  }
}

/** Returns the last line, which is the id of the process. On a busy machine it logs slow statements before. */
async function saidBy(output: Readable): Promise<string> {
  let said = ''
  for await (const [chunk] of on(output, 'data')) {
    said += String(chunk)
    const last = said.split('\n').at(-1) ?? ''
    if (last !== '' && !last.startsWith('{')) return last
  }
  return said
}

/** Waits until the database has noticed that the connections of the process are gone, and the process is off the list. */
async function noticed(ownerUrl: string, process_id: string): Promise<void> {
  const owner = poolAt(ownerUrl)
  await expect
    .poll(
      async () => {
        await reapDeadWorkers(owner, 0)
        return (await owner.query('select from job_processes where id = $1', [process_id])).rowCount
      },
      { interval: 20 },
    )
    .toBe(0)
}

const workers: ChildProcess[] = []
afterAll(() => {
  for (const worker of workers) worker.kill('SIGKILL')
})
