import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterAll } from 'vitest'
import type { App } from '#foundation/server/app.ts'

/** Starts a process that does the jobs of an app and that a test can kill. It ends with the test file at the latest. */
export async function spawnWorker(
  { ownerUrl, config }: App,
  settings: Record<string, string> = {},
): Promise<{ kill(): Promise<void> }> {
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
  await once(worker.stdout, 'data')
  return {
    async kill() {
      worker.kill('SIGKILL')
      await once(worker, 'exit')
    },
  }
}

const workers: ChildProcess[] = []
afterAll(() => {
  for (const worker of workers) worker.kill('SIGKILL')
})
