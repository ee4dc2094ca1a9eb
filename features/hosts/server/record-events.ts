import { record } from '#foundation/server/account-events/record.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import * as events from '#features/hosts/event-contract.ts'
import type { CheckedAgent } from './agent-queries.ts'
import { hostsById } from './agent-queries.ts'
import { findHost } from './own-host.ts'
import type { HostRow } from './queries.ts'
import { hostReply } from './reply.ts'

type OfHost = typeof events.hostCreated

/** Records an event of a server, with the server as its owner sees it at the end of the transaction. */
export function recordHost(
  tx: Tx,
  kind: OfHost,
  { user_id, public_id }: Pick<HostRow, 'user_id' | 'public_id'>,
): void {
  const read = async () => {
    const row = await findHost(tx, user_id, public_id)
    return row && hostReply(row)
  }
  record(tx, user_id, kind, read, { host: public_id })
}

/** Records a report that is news: the server was offline before, or it reports from another address than last time. */
export function recordReport(tx: Tx, host: HostRow, isBack: boolean): void {
  const about = { host: host.public_id }
  const read = async () => hostReply(host)
  if (isBack) record(tx, host.user_id, events.hostConnected, read, about)
  if (host.address_mismatch) record(tx, host.user_id, events.addressMismatched, read, about)
}

/** Records that servers went offline; those of all readers are read together. */
export function recordOffline(tx: Tx, agents: readonly CheckedAgent[]): void {
  let all: Promise<Map<bigint, HostRow>> | undefined
  const readAll = async () => {
    const ids = agents.map(({ host_id }) => host_id)
    return new Map((await hostsById(tx, ids)).map((row) => [row.id, row]))
  }
  for (const { host_id, user_id, public_id } of agents) {
    const read = async () => {
      const row = (await (all ??= readAll())).get(host_id)
      return row && hostReply(row)
    }
    record(tx, user_id, events.hostOffline, read, { host: public_id })
  }
}

/** Records in the lists of both accounts that a server changed hands. */
export function recordTransfer(tx: Tx, { user_id, public_id, name }: HostRow, to: string): void {
  const host = { id: public_id, name }
  record(tx, user_id, events.hostGiven, { ...host, direction: 'given' }, { host: public_id })
  record(tx, to, events.hostGiven, { ...host, direction: 'received' }, { host: public_id })
}
