import type { HelperRole } from '#foundation/capability.ts'
import type { Tx } from './database/transaction.ts'

/** Somebody acts for another account, by a grant of its owner. Read afresh for each request. */
export type Acting = {
  account: { id: string; name: string }
  person_id: string
  grant_id: string
  role: HelperRole
  /** Whether it opens all servers, those to come included. */
  all_hosts: boolean
  month_limit: bigint | null
  /**
   * Holds the grant until the transaction ends, and throws 404 where it is over: a revocation waits for what runs, and nothing that it
   * forbids is committed after it. `transaction` calls it first.
   */
  hold: (tx: Tx) => Promise<void>
  /** Counts what the person spends of the balance (minor units). Throws 402 `helper_limit_reached` above the limit of the month. */
  spend: (tx: Tx, amount: bigint) => Promise<void>
}

/** A grant that a person holds, by which they may act for its owner. */
export type Held = Pick<Acting, 'account' | 'grant_id' | 'role'>

/** The things that a call names, by its query and its path. */
export type Named = { account: string | undefined; params: unknown }
