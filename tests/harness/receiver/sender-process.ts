// Does jobs in a process of its own that a test can kill or stop, and reaches receivers on this machine. Settings come from the environment.
import { buildApp } from '#app/server/build-app.ts'
import { loadConfig } from '#app/server/config.ts'
import { startWorker } from '#app/server/worker.ts'
import { deliverDue } from '#features/webhooks/server/webhooks.ts'
import { poller } from '#foundation/server/jobs/jobs.ts'
import { createLog } from '#foundation/server/log.ts'
import { openTo } from './receiver.ts'

const config = loadConfig(process.env)
const app = await buildApp(config, {
  ownerUrl: config.databaseUrl?.reveal() ?? '',
  log: createLog({ level: 'error' }),
})
openTo(app, { most_ms: Number(process.env['MOST_MS']) })
// A line for each attempt that this process gave up: a program that answered it too late gets its event again.
const { egress } = app.config
app.config.egress = {
  ...egress,
  async post(url, request) {
    const outcome = await egress.post(url, request)
    if ('failure' in outcome)
      process.stdout.write(
        `gave up ${new URL(url).pathname} ${request.headers['webhook-id']} ${Date.now()}\n`,
      )
    return outcome
  },
}
// A second look for what is due, each 20 ms, so that a test of many failures takes hours less.
const worker = await startWorker(app, [poller('send_webhooks_sooner', 20, deliverDue)])
process.on('SIGTERM', () => void worker.stop().then(() => process.exit(0)))
process.stdout.write('ready\n')
