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
  /** Passes nothing on any more over the open connections that have begun with these words. New ones work. */
  forget(words: string): void
  mend(): Promise<void>
  connections(): number
  close(): Promise<void>
}

/** The first statements of a connection are within so many bytes. */
const MOST_KEPT = 4096

/** Returns the path of the unix socket in the address of a database. */
export const socketOf = (databaseUrl: string): string =>
  path.join(must(new URL(databaseUrl.replace('@/', '@localhost/')).searchParams.get('host')), '.s.PGSQL.5432')

export async function makeBreakable(databaseUrl: string): Promise<BreakableDatabase> {
  const real = socketOf(databaseUrl)
  const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-wire-'))
  const open = new Set<net.Socket>()
  const begun = new Map<net.Socket, string>()
  const forgotten = new WeakSet<net.Socket>()
  let silent = false
  const passes = (near: net.Socket) => !silent && !forgotten.has(near)
  let server = await listen()

  function listen(): Promise<net.Server> {
    // A side that says goodbye over a silent wire gets no answer either.
    const fresh = net.createServer({ allowHalfOpen: true }, (near) => {
      const far = net.connect(real)
      open.add(near)
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        from.on('data', (bytes) => {
          const said = begun.get(near) ?? ''
          if (from === near && said.length < MOST_KEPT) begun.set(near, said + bytes.toString('latin1'))
          if (passes(near)) to.write(bytes)
        })
        from.on('end', () => void (passes(near) && to.end()))
        from.on('error', () => {})
        from.on('close', () => {
          to.destroy()
          open.delete(near)
          begun.delete(near)
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
    forget(words) {
      for (const [near, said] of begun) if (said.includes(words)) forgotten.add(near)
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
