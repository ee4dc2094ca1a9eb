import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

type Db = App['db']

export type BlockedRow = {
  address: string
  blocked_at: Date
  blocked_by: string | null
  /** The place in the list: microseconds, and a digest, as an address may be longer than a place. */
  at_us: string
  digest: string
}

type Place = { before: readonly [at_us: string, digest: string] | undefined; limit: number }

/** Returns the senders whose mails are dropped, the newest first. */
export async function blockedSenders(db: Db, { before, limit }: Place): Promise<BlockedRow[]> {
  const place = before ? sql`where (b.at_us, b.digest) < (${before[0]}::bigint, ${before[1]})` : sql``
  const { rows } = await sql<BlockedRow>`
    select b.address, b.blocked_at, b.blocked_by, b.at_us::text, b.digest from (
      select address, blocked_at, blocked_by, (extract(epoch from blocked_at) * 1000000)::bigint as at_us, md5(address) as digest
      from blocked_senders) b
    ${place} order by b.at_us desc, b.digest desc limit ${limit}`.execute(db)
  return rows
}

/** Lifts the block of a sender; false where there is none. */
export async function unblockSender(tx: Tx, address: string): Promise<boolean> {
  const { rows } =
    await sql`delete from blocked_senders where address = ${address} returning address`.execute(tx)
  return rows.length > 0
}
