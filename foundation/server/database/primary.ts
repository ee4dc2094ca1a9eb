import pg from 'pg'
import { addressesOf } from './addresses.ts'

/** Shared by all connections to one DATABASE_URL: the hosts that it names, and the one that takes writes now. */
type Hosts = {
  urls: readonly string[]
  current: string
  mustWrite: boolean
  finding: Promise<void> | undefined
}

const known = new Map<string, Hosts>()

/**
 * Returns the address of the host that takes writes now, because the driver cannot read an address with several hosts
 * (`postgres://user@one,two/database?target_session_attrs=read-write`). An address with one host is returned as it is.
 */
export const toPrimary = (url: string): string => hostsOf(url).current

/**
 * Finds out which of several hosts takes writes now: at the start, and after each failed connection. Returns at once for one host. Callers
 * who come meanwhile share the search. If no host takes writes, the next failure searches again.
 */
export async function findPrimary(url: string): Promise<void> {
  const hosts = hostsOf(url)
  if (hosts.urls.length === 1) return
  await (hosts.finding ??= search(hosts).finally(() => {
    hosts.finding = undefined
  }))
}

function hostsOf(url: string): Hosts {
  const found = known.get(url)
  if (found) return found
  const urls = addressesOf(url)
  const mustWrite = /[?&]target_session_attrs=(?:read-write|primary)(?:&|$)/.test(url)
  const hosts: Hosts = { urls, current: urls[0] ?? url, mustWrite, finding: undefined }
  known.set(url, hosts)
  return hosts
}

async function search(hosts: Hosts): Promise<void> {
  const fit = await Promise.all(
    hosts.urls.map(async (url) => ((await fits(url, hosts.mustWrite)) ? url : undefined)),
  )
  hosts.current = fit.find((url) => url !== undefined) ?? hosts.current
}

const CONNECT_MS = 2000

async function fits(url: string, mustWrite: boolean): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
    return !mustWrite || rows[0]?.standby === false
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
