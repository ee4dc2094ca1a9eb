// The next server of `npm run dev`. It loads the packages while the present server still answers, loads our own code when a file is
// saved, and starts when the port is free. So a restart is quick.
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
// Without its parent nobody would ever start this server, so it ends.
process.on('disconnect', () => process.exit(0))

/** Loads our own code. An error is ignored here, since `start` meets it again and reports it. */
const load = () =>
  Promise.all([import('#app/server/start/start.ts'), import('#app/server/start/run.ts')]).catch(() => {})

async function start(): Promise<void> {
  process.removeAllListeners('disconnect')
  process.disconnect()
  await import('#app/server/main.ts')
}
