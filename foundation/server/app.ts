import type { LiveEventName, Route } from '#foundation/contract.ts'
import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { Database } from '#foundation/server/database/tables.ts'
import type { Capability } from '#foundation/capability.ts'
import type {
  Acting,
  Counted,
  Held,
  Named,
  NamedThing,
  OwnedThing,
  Person,
} from '#foundation/server/acting.ts'
import type { Agent } from '#foundation/server/agents.ts'
import type { Program, Proposal, Robot } from '#foundation/server/programs.ts'
import type { Config } from '#foundation/server/config.ts'
import type { Keys } from '#foundation/server/keys.ts'
import type { Lifetimes } from '#foundation/server/lifetimes.ts'
import type { Log } from '#foundation/server/log.ts'
import type { AnyPublished } from '#foundation/published.ts'
import type { Replica } from '#foundation/server/database/replica.ts'
import type { Permission } from '#foundation/roles.ts'
import type { Allowances, By, PreviewLine, RequestedAct } from '#foundation/server/approvals/requested-act.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Storage } from '#foundation/server/storage/store.ts'

/**
 * The state of a running installation. Every handler gets it as an argument, so that several installations can run in one process. A call for
 * an owner, or near a replica, gets a copy: what a process remembers is kept by `pool`, which copies share.
 */
export type App = {
  config: Config
  lifetimes: Lifetimes
  log: Log
  keys: Keys
  /** For reads, and for single statements that need no transaction. Everything else goes through `transaction`. */
  db: Kysely<Database>
  pool: Pool
  /** The standby that answers calls whose contract has `fromReplica`; absent where the operator has none. */
  replica?: Replica | undefined
  /** The same installation with its primary database, while the replica answers a call. */
  primary?: App | undefined
  /** The connection string of the schema's owner, for migrations, LISTEN and the job queue. */
  ownerUrl: string
  reactions: readonly {
    type: string
    /** A method, so that each kind of event may have a payload type of its own; `on` ties the payload to its kind. */
    run(app: App, tx: Tx, payload: unknown): Promise<void>
  }[]
  /** The files of each feature for the copy of all data about an account. */
  personalData: readonly ((
    app: App,
    tx: Tx,
    user_id: string,
  ) => Record<string, () => Promise<object>> | Promise<Record<string, () => Promise<object>>>)[]
  /** The kinds of account events, of all features. */
  published: readonly AnyPublished[]
  /** Bodies that features add to their live events when these are sent. */
  eventBodies: readonly {
    types: readonly LiveEventName[]
    roomOf: (data: Record<string, unknown>) => string
    read: (
      app: App,
      events: readonly { type: string; as_staff: boolean; data: Record<string, unknown> }[],
    ) => Promise<(object | undefined)[]>
  }[]
  /** The permissions of staff that the served contracts name. */
  permissions: readonly Permission[]
  /** Actions of staff that may need a second person, from the features that run them. */
  approvable: readonly {
    permission: Permission
    allowances?: (config: Config) => Allowances
    lock?: (tx: Tx) => Promise<void>
    /** `run` and `preview` are methods, so that each action may have an input type of its own. */
    run(app: App, tx: Tx, act: RequestedAct, by: By): Promise<{ body: object; result: object }>
    preview(app: App, act: RequestedAct): Promise<PreviewLine[]>
  }[]
  /** Uploaded files, on disk or in a bucket. */
  storage: Storage
  /**
   * Finds the agent that a token names, afresh for each request: a renewed token, a deleted host and a closed account count from the next
   * call on. Handed in by app/server from the feature that owns the tokens; while it is absent, no agent is let in.
   */
  findAgent?: ((app: App, token: string) => Promise<Agent | undefined>) | undefined
  /** Finds the program of an account's token, afresh for each request. Handed in by app/server from the grants' feature. */
  findProgram?: ((app: App, secret: string, ip: string) => Promise<Program | undefined>) | undefined
  /** Finds the robot of a token of staff, afresh for each request. Handed in by app/server from the feature of the team. */
  findRobot?: ((app: App, secret: string, ip: string) => Promise<Robot | undefined>) | undefined
  /** Finds the account that a call acts for. Handed in by app/server from the grants' feature; if absent, people act for themselves. */
  findActing?:
    | ((
        app: App,
        person: Person,
        needed: Capability,
        named: Named,
        db?: App['db'],
      ) => Promise<Acting | undefined>)
    | undefined
  /** One entry for each path parameter that names a thing of a customer. A helper's call acts for the owner of that thing. */
  namedThings: readonly NamedThing[]
  /** One entry for each path parameter of calls of staff that names a thing of a customer. */
  ownedThings: readonly OwnedThing[]
  /** Finds the grants by which a person may now do something for others. Handed in with `findActing`. */
  grantsHeld?: ((app: App, person: Person, needed: Capability) => Promise<Held[]>) | undefined
  /** Takes a charge that has failed off the limits that counted it at this time. Handed in with `findActing`. */
  uncount?: ((tx: Tx, charge: Counted & { at: Date }) => Promise<void>) | undefined
  /** The helper who makes this call: its transactions hold the grant. Absent where people act for themselves. */
  acting?: Acting | undefined
  /** True while an assistant makes this call: what it asks for waits for a second person, whatever its amount. */
  proposing?: boolean
  /** Lets a call of an account wait until its owner confirms it, and returns what the caller reads. Handed in by app/server. */
  propose?: ((app: App, proposal: Proposal) => Promise<object>) | undefined
  /** The contracts of the calls that assistants use as tools. */
  tools: readonly Route[]
  /** The name by which mails greet a user; '' for none. Handed in by app/server from the feature that owns the names. */
  firstNameOf?: ((db: App['db'], user_id: string) => Promise<string>) | undefined
  /** True for an address to which no mail goes, because one came back. Handed in by app/server from the feature that takes what comes back. */
  isSuspended?: ((db: App['db'], email: string) => Promise<boolean>) | undefined
  /** Returns the account into which an account of the same person was merged; undefined for one that stands for itself. Handed in by app/server. */
  mergedInto?: ((db: App['db'], user_id: string) => Promise<string | undefined>) | undefined
  /** True for an address that was invited to sign up by this key. Handed in by app/server from the feature that invites. */
  isInvited?: ((db: App['db'], email: string, key: string) => Promise<boolean>) | undefined
  /** The permission by which members see accounts as their customers do; a view lasts no longer than it is held. */
  viewPermission?: Permission | undefined
  /** Throws 403 `own_account` for a person and an account that is theirs. Handed in by app/server from the feature that owns the facts. */
  assertNotOwn?: ((db: App['db'], person: string, account: string) => Promise<void>) | undefined
  /** True for two accounts that may belong to one person. Handed in by app/server from the feature that owns the facts. */
  mayBeOne?: ((app: App, db: App['db'], one: string, other: string) => Promise<boolean>) | undefined
  /** Run one after the other before the connections close: they write what a process has gathered in its memory. */
  beforeClose: Set<() => Promise<void>>
  /** Closes all connections to the database. */
  close(): Promise<void>
}
