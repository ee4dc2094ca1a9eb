import { mkdtempSync, rmSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { must } from '#foundation/must.ts'

/** A socket between the application and PostgreSQL that can be cut, and can go silent as a broken network does. */
export type BreakableDatabase = {
  url: string
  /** Ends all connections and refuses new ones. */
  cut(): Promise<void>
  /** Keeps connections open but passes nothing on any more, as a firewall does that has lost its state. */
  silence(): void
  mend(): Promise<void>
  connections(): number
  close(): Promise<void>
}

/** Returns the path of the unix socket in the address of a database. */
export const socketOf = (databaseUrl: string): string =>
  path.join(must(new URL(databaseUrl.replace('@/', '@localhost/')).searchParams.get('host')), '.s.PGSQL.5432')

export async function makeBreakable(databaseUrl: string): Promise<BreakableDatabase> {
  const real = socketOf(databaseUrl)
  const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-wire-'))
  const open = new Set<net.Socket>()
  let silent = false
  let server = await listen()

  function listen(): Promise<net.Server> {
    const fresh = net.createServer((near) => {
      const far = net.connect(real)
      open.add(near)
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        from.on('data', (bytes) => void (silent || to.write(bytes)))
        from.on('error', () => {})
        from.on('close', () => {
          to.destroy()
          open.delete(near)
        })
      }
    })
    return new Promise((resolve) =>
      fresh.listen(path.join(folder, path.basename(real)), () => resolve(fresh)),
    )
  }

  const cut = async () => {
    const gone = new Promise((resolve) => server.close(resolve))
    for (const socket of open) socket.destroy()
    await gone
  }
  return {
    url: databaseUrl.replace(/host=[^&]+/, `host=${encodeURIComponent(folder)}`),
    cut,
    silence() {
      silent = true
    },
    async mend() {
      silent = false
      if (!server.listening) server = await listen()
      else for (const socket of open) socket.destroy()
    },
    connections: () => open.size,
    async close() {
      await cut()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
