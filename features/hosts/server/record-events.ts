import { record } from '#foundation/server/account-events/record.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Host, publishedOfHost } from '#features/hosts/contract.ts'
import * as events from '#features/hosts/event-contract.ts'
import { hostsById, type CheckedAgent } from './agent-queries.ts'
import type { HostRow } from './queries.ts'
import { hostReply } from './reply.ts'

type OfHost = ReturnType<typeof publishedOfHost>
type Named = Pick<HostRow, 'id' | 'user_id' | 'public_id'>

/** Records an event of a server, with the server as its owner sees it at the end of the transaction. */
export function recordHost(tx: Tx, kind: OfHost, host: Named): void {
  record(tx, host.user_id, kind, reading(tx, host), { host: host.public_id })
}

/** Records an event of a server that was read behind its last change: it is not read again. */
export function recordRead(tx: Tx, kind: OfHost, host: HostRow): void {
  record(tx, host.user_id, kind, async () => hostReply(host), { host: host.public_id })
}

type Wanted = { ids: Set<bigint>; rows?: Promise<Map<bigint, HostRow>> }
const wanted = new WeakMap<Tx, Wanted>()

/** Reads a server at the end of the transaction, together with all servers of which its events tell: by one statement. */
export function reading(tx: Tx, { id }: Pick<Named, 'id'>): () => Promise<Host | undefined> {
  const all = wanted.get(tx) ?? { ids: new Set() }
  wanted.set(tx, all)
  all.ids.add(id)
  return async () => {
    const row = (await (all.rows ??= readAll(tx, all))).get(id)
    return row && hostReply(row)
  }
}

async function readAll(tx: Tx, { ids }: Wanted): Promise<Map<bigint, HostRow>> {
  wanted.delete(tx)
  return new Map((await hostsById(tx, [...ids])).map((row) => [row.id, row]))
}

/** Records a report that is news: the server was offline before, or it reports from another address than last time. */
export function recordReport(tx: Tx, host: HostRow, isBack: boolean): void {
  const about = { host: host.public_id }
  const read = async () => hostReply(host)
  if (isBack) record(tx, host.user_id, events.hostConnected, read, about)
  if (host.address_mismatch) record(tx, host.user_id, events.addressMismatched, read, about)
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
