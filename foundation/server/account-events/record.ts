import type * as z from 'zod/mini'
import type { Published } from '#foundation/published.ts'
import { gathered, type Tx } from '#foundation/server/database/transaction.ts'
import { readBy } from '#foundation/server/http/read-by.ts'
import { fitting } from './fitting.ts'
import { mayBeRead } from './known-lists.ts'
import { insertEvents, OPERATOR, type NewRow } from './queries.ts'

type Read = (tx: Tx) => Promise<object | undefined>

type Given = {
  owner: string | null
  kind: Published
  data: object | Read
  host_id: string | null
}

/**
 * Records an event of an account in the transaction of the act that it reports, for whoever reads the list of the account or of the
 * operator. `data` is the reply of the resource, or a function that reads it right before the commit: only where there is a reader, so that
 * an act of anybody else costs no statement. If it reads nothing, nothing is recorded. `host` is the public id of the server.
 */
export function record<Data extends z.ZodMiniType>(
  tx: Tx,
  owner: string | null,
  kind: Published<Data>,
  data: z.input<Data> | ((tx: Tx) => Promise<z.input<Data> | undefined>),
  about?: { host?: string | null },
): void
export function record(
  tx: Tx,
  owner: string | null,
  kind: Published,
  data: Given['data'],
  { host = null }: { host?: string | null } = {},
): void {
  gathered(tx, 'record', { owner, kind, data, host_id: host }, writeAll)
}

async function writeAll(tx: Tx, events: readonly Given[]): Promise<void> {
  const rows: NewRow[] = []
  for (const event of events) {
    const owners = await mayBeRead(tx, ownersOf(event))
    if (owners.length === 0) continue
    const data = isRead(event.data) ? await event.data(tx) : event.data
    if (data === undefined) continue
    const { kind, host_id, owner: account } = event
    rows.push({
      list: owners.find((owner) => owner !== OPERATOR) ?? null,
      for_operator: owners.includes(OPERATOR),
      type: kind.type,
      body: bodyOf(kind, data),
      host_id,
      customer_id: account,
    })
  }
  if (rows.length > 0) await insertEvents(tx, rows)
}

const isRead = (data: object | Read): data is Read => typeof data === 'function'

const ownersOf = ({ owner, kind }: Given): string[] =>
  owner === null || kind.isForOperator ? [OPERATOR] : [owner, OPERATOR]

/** An event is an allow-list, as a reply is: fields that its kind does not declare are never written. */
function bodyOf({ type, data: schema }: Published, data: object): string {
  const result = readBy(schema, data)
  if (!result.success) throw new Error(`${type} breaks its contract: ${result.error.message}`)
  return fitting(result.data)
}
