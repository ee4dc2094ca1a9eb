// Serves in a process of its own, so that a test can kill it. Settings come from the environment; prints its address.
import type { AddressInfo } from 'node:net'
import { buildApp } from '#app/server/build-app.ts'
import { buildServer } from '#app/server/server.ts'
import { loadConfig } from '#app/server/config.ts'
import { createLog } from '#foundation/server/log.ts'

const config = loadConfig(process.env)
const log = createLog({ level: 'error' })
const app = await buildApp(config, { ownerUrl: config.databaseUrl?.reveal() ?? '', log })
const server = await buildServer(app)
await server.listen({ port: 0, host: '127.0.0.1' })
process.stdout.write(`http://127.0.0.1:${(server.server.address() as AddressInfo).port}\n`)
