// The next server of `npm run dev`. While the present one still answers, it has loaded the packages; at a save it loads our own
// code, and when the port is free it starts. So a restart waits for neither.
import '../app/server/compile-cache.ts'
import '@fastify/multipart'
import '@node-rs/argon2'
import '@simplewebauthn/server'
import 'fastify'
import 'kysely'
import 'nodemailer'
import 'pg'
import 'pino'
import 'prom-client'
import 'zod/mini'

process.on('message', (message) => {
  if (message === 'load') void load()
  if (message === 'start') void start()
})
// A parent that is gone leaves no server behind that nobody will start.
process.on('disconnect', () => process.exit(0))

/** A module that cannot be loaded is reported by the start. */
const load = () =>
  Promise.all([import('#app/server/start/start.ts'), import('#app/server/start/run.ts')]).catch(() => {})

async function start(): Promise<void> {
  process.removeAllListeners('disconnect')
  process.disconnect()
  await import('#app/server/main.ts')
}
