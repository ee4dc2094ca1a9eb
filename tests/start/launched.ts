import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from '#tests/harness/free-port.ts'

export type Product = {
  url: string
  child: ChildProcess
  /** Returns everything that the process wrote so far, to both streams. */
  output(): string
  /** Sends the signal, SIGTERM by default. Resolves with the exit code; null if the signal killed the process. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

export type Start = {
  dataDir?: string
  settings?: Record<string, string>
  uid?: number
  checkout?: string
  port?: number
  /** An open file that gets both output streams of the product, instead of `output`. */
  writeTo?: number
}

/** Starts the product as `npm start` does and waits until it answers; the caller ends it. */
export async function launchProduct(start: Start = {}): Promise<Product> {
  const port = start.port ?? (await freePort())
  const { child, output } = launch({ ...start, port })
  const url = `http://127.0.0.1:${port}`
  const gone = once(child, 'exit')
  const deadline = Date.now() + 180_000
  while (!(await isReady(url))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`It did not start:\n${output()}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  const end = async (signal: NodeJS.Signals = 'SIGTERM') => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    await gone
    return child.exitCode
  }
  return { url, child, output, end }
}

export function launch({ dataDir, settings, uid, checkout, port, writeTo }: Start) {
  const inherited = { PATH: process.env['PATH'], HOME: process.env['HOME'] }
  const child = spawn(process.execPath, ['app/server/main.ts'], {
    cwd: checkout ?? process.cwd(),
    env: {
      ...inherited,
      ...(port === undefined ? {} : { PORT: String(port) }),
      ...(dataDir === undefined ? {} : { DATA_DIR: dataDir }),
      ...settings,
    },
    stdio: ['ignore', writeTo ?? 'pipe', writeTo ?? 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  let [all, errors] = ['', '']
  child.stdout?.on('data', (chunk: Buffer) => (all += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => {
    all += chunk.toString()
    errors += chunk.toString()
  })
  return { child, output: () => all, errors: () => errors }
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`)).status === 200
  } catch {
    return false
  }
}
