// Does jobs in a process of its own, so that a test can kill it. Settings come from the environment.
import { buildApp } from '#app/server/build-app.ts'
import { startWorker } from '#app/server/worker.ts'
import { loadConfig } from '#app/server/config.ts'
import { createLog } from '#foundation/server/log.ts'

const config = loadConfig(process.env)
const log = createLog({ level: 'warn' })
const app = await buildApp(config, { ownerUrl: config.databaseUrl?.reveal() ?? '', log })
const { process_id } = await startWorker(app)
process.stdout.write(process_id)
