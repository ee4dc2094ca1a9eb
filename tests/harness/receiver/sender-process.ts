// Does jobs in a process of its own that a test can kill, and reaches receivers on this machine. Settings come from the environment.
import { buildApp } from '#app/server/build-app.ts'
import { loadConfig } from '#app/server/config.ts'
import { startWorker } from '#app/server/worker.ts'
import { createLog } from '#foundation/server/log.ts'
import { openTo } from './receiver.ts'

const config = loadConfig(process.env)
const app = await buildApp(config, {
  ownerUrl: config.databaseUrl?.reveal() ?? '',
  log: createLog({ level: 'error' }),
})
openTo(app, { most_ms: Number(process.env['MOST_MS']) })
await startWorker(app)
process.stdout.write('ready')
