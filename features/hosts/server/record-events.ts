import { record } from '#foundation/server/account-events/record.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Host, publishedOfHost } from '#features/hosts/contract.ts'
import * as events from '#features/hosts/event-contract.ts'
import { hostsById, type AgentReport, type CheckedAgent } from './agent-queries.ts'
import type { HostRow } from './queries.ts'
import { hostReply } from './reply.ts'

type OfHost = ReturnType<typeof publishedOfHost>
type Named = Pick<HostRow, 'id' | 'user_id' | 'public_id'>

/** Records an event of a server, with the server as its owner sees it at the end of the transaction. */
export function recordHost(tx: Tx, kind: OfHost, host: Named): void {
  record(tx, host.user_id, kind, reading(tx, host), { host: host.public_id })
}

type Wanted = { ids: Set<bigint>; known: Map<bigint, HostRow>; rows?: Promise<Map<bigint, HostRow>> }
const wanted = new WeakMap<Tx, Wanted>()

function wantedIn(tx: Tx): Wanted {
  const all = wanted.get(tx) ?? { ids: new Set(), known: new Map() }
  wanted.set(tx, all)
  return all
}

/** Keeps a server that was read behind its last change: its events do not read it again. */
export function keepRead(tx: Tx, host: HostRow): void {
  wantedIn(tx).known.set(host.id, host)
}

/** Reads a server at the end of the transaction, together with all servers of which its events tell: by one statement. */
export function reading(tx: Tx, { id }: Pick<Named, 'id'>): () => Promise<Host | undefined> {
  const all = wantedIn(tx)
  all.ids.add(id)
  return async () => {
    const row = (await (all.rows ??= readAll(tx, all))).get(id)
    return row && hostReply(row)
  }
}

const updated = new WeakMap<Tx, Set<bigint>>()

/** Records that a server changed. One event tells of all changes in a transaction, and shows the server at the end of them. */
export function recordUpdated(tx: Tx, host: Named): void {
  const read = reading(tx, host)
  const readOnce = async () => {
    const done = updated.get(tx) ?? new Set()
    updated.set(tx, done)
    if (done.has(host.id)) return undefined
    done.add(host.id)
    return read()
  }
  record(tx, host.user_id, events.hostUpdated, readOnce, { host: host.public_id })
}

async function readAll(tx: Tx, { ids, known }: Wanted): Promise<Map<bigint, HostRow>> {
  wanted.delete(tx)
  const others = [...ids].filter((id) => !known.has(id))
  const read = others.length > 0 ? await hostsById(tx, others) : []
  return new Map([...known, ...read.map((row) => [row.id, row] as const)])
}

/**
 * Records a report that is news: the server was offline before, or it reports from another address than last time. A server behind NAT
 * that comes back under the same address as before says nothing new by it.
 */
export function recordReport(tx: Tx, host: HostRow, { is_back, is_moved }: AgentReport): void {
  const about = { host: host.public_id }
  const read = async () => hostReply(host)
  if (is_back) record(tx, host.user_id, events.hostConnected, read, about)
  if (is_moved && host.address_mismatch) record(tx, host.user_id, events.addressMismatched, read, about)
}

/** Records that the addresses of a server changed, and that its agent now reports from another one, where it did not before. */
export function recordAddresses(tx: Tx, before: HostRow): void {
  recordUpdated(tx, before)
  if (before.address_mismatch) return
  const read = reading(tx, before)
  const readMismatched = async () => {
    const host = await read()
    return host?.address_mismatch ? host : undefined
  }
  record(tx, before.user_id, events.addressMismatched, readMismatched, { host: before.public_id })
}

/** Records that servers went offline. */
export function recordOffline(tx: Tx, agents: readonly CheckedAgent[]): void {
  for (const { host_id: id, ...agent } of agents) recordHost(tx, events.hostOffline, { id, ...agent })
}

/** Records in the lists of both accounts that a server changed hands. */
export function recordTransfer(tx: Tx, { user_id, public_id, name }: HostRow, to: string): void {
  const host = { id: public_id, name }
  record(tx, user_id, events.hostGiven, { ...host, direction: 'given' }, { host: public_id })
  record(tx, to, events.hostGiven, { ...host, direction: 'received' }, { host: public_id })
}
