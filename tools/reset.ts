// `npm run reset`: throws the embedded database and all data away, so that the next start is the first.
import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { loadConfig } from '#app/server/config.ts'
import { isPostmaster, readPostmaster } from '#foundation/server/database/embedded/postmaster.ts'

const config = loadConfig({ ...process.env, NODE_ENV: 'development' })
const cluster = path.join(config.dataDir, 'postgresql/pg18')
const running = readPostmaster(cluster)
if (process.env['NODE_ENV'] === 'production') refuse('NODE_ENV is production; nothing was removed.')
if (config.databaseUrl) refuse('DATABASE_URL is set, and that database is not ours to remove.')
if (running && isPostmaster(running.pid, cluster))
  refuse(`PostgreSQL runs in ${config.dataDir}. Stop Hostdesk first.`)
if (!existsSync(path.join(config.dataDir, 'postgresql')))
  refuse(`${config.dataDir} is no data folder of Hostdesk.`)
for (const name of ['postgresql', 'secret-key', 'files']) {
  rmSync(path.join(config.dataDir, name), { recursive: true, force: true })
}
console.log(`Removed all data in ${config.dataDir}. The next start is the first.`)

function refuse(reason: string): never {
  console.error(`reset: ${reason}`)
  process.exit(1)
}
