import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { must } from '#foundation/must.ts'

/** The product as a customer runs it: `node app/server/main.ts` in a process of its own, PostgreSQL included. */
export type Product = {
  url: string
  pid: number
  /** The time from the spawn to the line that reports the product ready. */
  start_ms: number
  /** Returns everything that the process wrote so far. */
  output(): string
  /** Sends SIGTERM, as a supervisor does. Resolves with the exit code. */
  stop(): Promise<number | null>
  /** Kills (kill -9) the process and its PostgreSQL with all its backends, at once. */
  kill(): Promise<void>
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Makes a folder for one installation. PostgreSQL runs as another user than root and must be able to enter. */
export function makeDataDir(): { dataDir: string; remove(): void } {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'hostdesk-product-'))
  chmodSync(dataDir, 0o755)
  return { dataDir, remove: () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }) }
}

export type Start = {
  dataDir: string
  /** Environment variables. */
  settings?: Record<string, string>
  /** Builds the pages if they are out of date, as `npm start` does; otherwise the product has no pages. */
  withPages?: boolean
  /** Flags of Node itself, as --cpu-prof. */
  nodeFlags?: string[]
  /** The checkout that is started, such as one of the release before; this checkout by default. */
  checkout?: string
}

/** Returns the flags that `npm start` of a checkout gives to Node. */
function flagsOf(checkout: string): string[] {
  const script = /"start": "exec node (.*?)app\/server\/main\.ts"/u.exec(
    readFileSync(path.join(checkout, 'package.json'), 'utf8'),
  )
  return must(must(script)[1]).split(' ').filter(Boolean)
}

/** Starts the product on a free port and waits until it reports that it is ready. */
export async function startProduct({
  dataDir,
  settings = {},
  withPages = false,
  nodeFlags = [],
  checkout = root,
}: Start): Promise<Product> {
  const started = performance.now()
  const command = [
    ...flagsOf(checkout),
    ...nodeFlags,
    'app/server/main.ts',
    ...(withPages ? [] : ['--without-pages']),
  ]
  const inherited = { PATH: process.env['PATH'], HOME: process.env['HOME'] }
  const child = spawn(process.execPath, command, {
    cwd: checkout,
    env: { ...inherited, PORT: '0', PUBLIC_ORIGIN: 'http://localhost:3000', DATA_DIR: dataDir, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const port = await new Promise<number>((resolve, reject) => {
    let isReady = false
    const look = (chunk: Buffer) => {
      output += chunk.toString()
      // The search stops at the first hit: repeated for each line of a long log, it would disturb measurements.
      const ready = isReady ? undefined : /"port":(\d+)[^\n]*"msg":"ready"/.exec(output)
      if (!ready) return
      isReady = true
      resolve(Number(ready[1]))
    }
    child.stdout.on('data', look)
    child.stderr.on('data', look)
    void exited.then((code) => reject(new Error(`it ended with ${code} before it was ready:\n${output}`)))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    pid: must(child.pid),
    start_ms: performance.now() - started,
    output: () => output,
    stop() {
      child.kill('SIGTERM')
      return exited
    },
    async kill() {
      const postgres = postgresOf(dataDir)
      for (const pid of [must(child.pid), ...postgres]) killAtOnce(pid)
      await exited
      while (postgres.some((pid) => existsSync(`/proc/${pid}/cwd`)))
        await new Promise((resolve) => setTimeout(resolve, 5))
    },
  }
}

/** Returns the address of a running installation's database for its superuser, for tests that count rows. */
export function databaseOf(dataDir: string): string {
  const sockets = must(
    readFileSync(path.join(dataDir, 'postgresql/pg18/postmaster.pid'), 'utf8').split('\n')[4],
  )
  return `postgres://postgres@/hostdesk?host=${encodeURIComponent(sockets)}`
}

/** Returns the ids of PostgreSQL's first process and of all its children, each of which has a process group of its own. */
export function postgresOf(dataDir: string): number[] {
  const file = path.join(dataDir, 'postgresql/pg18/postmaster.pid')
  if (!existsSync(file)) return []
  const postmaster = Number(readFileSync(file, 'utf8').split('\n')[0])
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === postmaster)
    .map(Number)
  return [postmaster, ...children]
}

function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined
  }
}

function killAtOnce(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process was gone already.
  }
}
