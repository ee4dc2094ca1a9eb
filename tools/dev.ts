// `npm run dev`: the server, which restarts when its files change, and in front of it Vite with hot replacement. The database stays
// up in between, nothing is drained, and the next server has loaded the packages before it is needed.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { loadConfig } from '#app/server/config.ts'
import { startEmbedded } from '#foundation/server/database/embedded.ts'
import { buildTexts } from './build.ts'
import { watchFolder } from './watch-folders.ts'

const vitePort = process.env['VITE_PORT'] ?? '5173'
const config = loadConfig(process.env)
const database = config.databaseUrl ? undefined : await startEmbedded({ dataDir: config.dataDir })
await buildTexts(process.cwd())

let isStopping = false
let server = prepareServer()
server.send('start')
let next = prepareServer()
const vite = run(['node_modules/vite/bin/vite.js', '--port', vitePort, '--strictPort'], {})
vite.on('exit', () => void stop())

for (const folder of ['app', 'features', 'foundation', 'database'])
  watchFolder(folder, (file) => {
    if (concernsServer(file)) restartSoon()
  })
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop())

function concernsServer(file: string): boolean {
  if (/\/web\/|\.(test|e2e)\.tsx?$/.test(file)) return false
  return /\.(ts|js|sql)$|\/messages\/\w+\.json$/.test(file)
}

let timer: NodeJS.Timeout | undefined
/** Restarts once no event came for 80 ms: one save raises several events, and one change takes several saves. */
function restartSoon(): void {
  clearTimeout(timer)
  timer = setTimeout(() => void restart(), 80)
}

let restarting = Promise.resolve()
function restart(): Promise<void> {
  restarting = restarting.then(async () => {
    if (isStopping) return
    // A text that cannot be compiled is reported; the former texts stay until it can.
    await buildTexts(process.cwd()).catch((error: unknown) => process.stderr.write(`${String(error)}\n`))
    next.send('load')
    await end(server)
    next.send('start')
    server = next
    next = prepareServer()
  })
  return restarting
}

/** Starts a process that waits for `load` and `start` before it serves (dev-server.ts). */
function prepareServer(): ChildProcess {
  return run(['tools/dev-server.ts', '--without-pages', '--without-drain'], {
    PUBLIC_ORIGIN: `http://localhost:${vitePort}`,
  })
}

function run(command: string[], environment: Record<string, string>): ChildProcess {
  return spawn(process.execPath, command, {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...environment, ...process.env },
  })
}

/** Gives the old process half a second to end: a developer waits for the new code, not for the old. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const patience = setTimeout(() => child.kill('SIGKILL'), 500)
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
  clearTimeout(patience)
}

async function stop(): Promise<void> {
  if (isStopping) return
  isStopping = true
  clearTimeout(timer)
  await restarting
  await Promise.all([end(server), end(next), end(vite)])
  await database?.stop()
  process.exit(0)
}
