import type { HelperRole } from '#foundation/capability.ts'
import type { Kysely } from 'kysely'
import type { Database } from './database/tables.ts'
import type { Tx } from './database/transaction.ts'

/** Somebody acts for another account, by a grant of its owner. Read afresh for each request. */
export type Acting = {
  account: { id: string; name: string }
  person_id: string
  grant_id: string
  /** The grant by which the owner's helper has passed it on; null for a grant of the owner's own. */
  through: string | null
  role: HelperRole
  /** True if the grant opens all servers, those to come included. */
  all_hosts: boolean
  month_limit: bigint | null
  /**
   * Holds the grant until the transaction ends, and throws 404 where it is over: a revocation waits for what runs, and nothing that it
   * forbids is committed after it. `transaction` calls it first.
   */
  hold: (tx: Tx) => Promise<void>
  /** True if the grant opens a ticket about this server, or (without one) about none. */
  opensTicket: (db: Kysely<Database>, host_id: string | null) => Promise<boolean>
  /** Leaves a line in the activity of the account, with the person's name. */
  note: (
    tx: Tx,
    what: 'host_added' | 'ticket_opened' | 'topped_up' | 'voucher_redeemed',
    about: { host_id?: string; amount?: bigint },
  ) => Promise<void>
  /** Counts what the person spends of the balance (minor units). Throws 402 `helper_limit_reached` above the limit of the month. */
  spend: (tx: Tx, amount: bigint) => Promise<void>
}

/** A grant that a person holds, by which they may act for its owner. */
export type Held = Pick<Acting, 'account' | 'grant_id' | 'role' | 'all_hosts'>

/** The things that a call names, by its query and its path. */
export type Named = { account: string | undefined; params: unknown; thing?: Thing | undefined }

/** A thing of a customer that a path names: its owner, the server that it is about, and the roles whose helpers may use it. */
export type Thing = { owner_id: string; host_id: string | null; roles: readonly HelperRole[] }

/** Finds what a parameter of a path names, from the feature that owns it: the account that a call acts for follows from it. */
export type NamedThing = {
  parameter: string
  find: (db: Kysely<Database>, id: string) => Promise<Thing | undefined>
}
