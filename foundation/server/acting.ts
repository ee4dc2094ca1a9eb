import type { HelperRole } from '#foundation/capability.ts'
import type { Kysely } from 'kysely'
import type { Database } from './database/tables.ts'
import type { Tx } from './database/transaction.ts'

/** A person who acts for another account, by a grant of its owner. Read afresh for each request. */
export type Acting = {
  account: { id: string; name: string }
  person_id: string
  grant_id: string
  /** The grant of the helper who passed this one on; null for a grant by the owner. */
  through: string | null
  role: HelperRole
  /** True if the grant opens all servers, including those added later. */
  all_hosts: boolean
  /** True if the owner limits what the person may spend. Renewals come again each term, so no limit would bound them. */
  isLimited: boolean
  /**
   * Locks the grant until the transaction ends; throws 404 if the grant has ended. A revocation waits for running transactions, so that
   * nothing it forbids is committed after it. `transaction` calls `hold` first.
   */
  hold: (tx: Tx) => Promise<void>
  /** True if the grant opens a ticket about the server `host_id`; with null, a ticket about no server. */
  opensTicket: (db: Kysely<Database>, host_id: string | null) => Promise<boolean>
  /** Adds a line to the activity of the account, with the name of the person who acts. */
  note: (
    tx: Tx,
    what: 'host_added' | 'ticket_opened' | 'topped_up' | 'voucher_redeemed',
    about: { host_id?: string; amount?: bigint },
  ) => Promise<void>
  /**
   * Counts what the person spends of the balance (minor units), less what `count` has counted of it before, and adds it to the activity. Throws
   * 402 `helper_limit_reached` above a limit.
   */
  spend: (tx: Tx, amount: bigint, counted?: bigint) => Promise<void>
  /** Counts a charge that the person asks for (minor units), and returns what was counted. Throws 402 `helper_limit_reached` above a limit. */
  count: (tx: Tx, amount: bigint) => Promise<Counted>
}

/** A charge that counts against the limits of grants; amount in minor units. */
export type Counted = { grants: readonly string[]; amount: bigint }

/** The person of a session who may act for others; `holds_grants` is read with the session. */
export type Person = { user_id: string; factors: readonly string[]; holds_grants: boolean }

/** A grant that a person holds, by which they may act for its owner. */
export type Held = Pick<Acting, 'account' | 'grant_id' | 'role' | 'all_hosts'>

/** The account that the query of a call names, its path parameters, and the thing that these name. */
export type Named = { account: string | undefined; params: unknown; thing?: Thing | undefined }

/** A thing of a customer that a path names: its owner, the server that it is about, and the roles whose helpers may use it. */
export type Thing = { owner_id: string; host_id: string | null; roles: readonly HelperRole[] }

/** Finds the thing that a path parameter names, in the feature that owns it. A call acts for the account of the thing's owner. */
export type NamedThing = {
  parameter: string
  find: (db: Kysely<Database>, id: string) => Promise<Thing | undefined>
}

/** Finds the owner of the thing that a path parameter of calls of staff names: an invoice, a server. */
export type OwnedThing = {
  parameter: string
  ownerOf: (db: Kysely<Database>, id: string) => Promise<string | null | undefined>
}
