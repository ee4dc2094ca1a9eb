import { createHash } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import { Duplex } from 'node:stream'
import pg from 'pg'
import type { Database } from '#foundation/server/database/tables.ts'
import { errorCode } from '#foundation/server/error-code.ts'
import { measureStatement, type SlowStatements } from '#foundation/server/operation/measure-statements.ts'
import { atOnce } from './batched.ts'
import { assertOutside } from './open-transaction.ts'
import type { Way } from './pooler.ts'
import { findPrimary, toPrimary } from './primary.ts'
import { isStalePlan } from './stale-plan.ts'

/**
 * PostgreSQL plans a named statement once per connection and then only runs it. Every statement with parameters gets
 * the hash of its text as its name, so that all of them are prepared without anybody naming them.
 */
class PreparingClient extends pg.Client {
  slow: SlowStatements | undefined
  isPreparing = true
  private isInTransaction = false
  private held: unknown[][] = []
  private opened: unknown = nothing

  /**
   * Sends a statement. BEGIN and the statement that opens a transaction go with the first one of its work, and the last statements with
   * COMMIT: a round trip less each, and the rows that everybody waits for are locked for the commit alone.
   */
  override query(...args: unknown[]): never
  override query(...args: unknown[]): unknown {
    const text = textOf(args[0])
    const { held } = this
    if (isHeld(text)) {
      this.held = [...held, args]
      return Promise.resolve(nothing)
    }
    this.held = []
    if (text === OPENED) return held.length > 0 ? this.sendAll(held).then(() => this.opened) : this.opened
    // A transaction of which nothing was sent has nothing to roll back.
    if (text === 'rollback') return held.some(isBegin) ? Promise.resolve(nothing) : this.send(args)
    return held.length > 0 ? this.sendAll([...held, args]) : this.send(args)
  }

  private async sendAll(statements: readonly unknown[][]): Promise<unknown> {
    const stream = this.stream()
    stream?.cork()
    const all = statements.map((one) => this.send(one))
    stream?.uncork()
    const answers = await atOnce(all)
    const opening = statements.findIndex(([first]) => textOf(first).startsWith(OPENS))
    if (opening !== -1) this.opened = answers[opening]
    return answers.at(-1)
  }

  private async send(args: unknown[]): Promise<unknown> {
    const given = this.isPreparing ? named(args) : args
    const answer: unknown = Reflect.apply(super.query, this, given)
    if (!(answer instanceof Promise)) return answer
    const text = textOf(args[0])
    if (text === 'begin' || text.startsWith('start transaction')) this.isInTransaction = true
    else if (text === 'commit' || text === 'rollback') this.isInTransaction = false
    const { isInTransaction } = this
    const answered = measureStatement(text, this.slow)
    try {
      const rows: unknown = await answer
      answered()
      return rows
    } catch (error) {
      answered(error)
      this.leaveIfSilent(error)
      if (!isStalePlan(error)) throw error
      forgetName(given[0])
      // Such an error ends a transaction, and the code that opened the transaction begins it again.
      if (isInTransaction) throw error
      return this.send(args)
    }
  }

  /**
   * Destroys a connection that answers no more (as behind a firewall that forgot it), or whose server became a standby: neither may go back
   * into the pool.
   */
  private leaveIfSilent(error: unknown): void {
    if (!(error instanceof Error)) return
    if (error.message !== 'Query read timeout' && errorCode(error) !== READ_ONLY) return
    this.stream()?.destroy()
  }

  private stream(): Duplex | undefined {
    const connection: unknown = Reflect.get(this, 'connection')
    const stream: unknown = Reflect.get(Object(connection), 'stream')
    return stream instanceof Duplex ? stream : undefined
  }
}

/** Begins the statement that opens a transaction. It is sent with the first statement of the work; `OPENED` answers with its rows then. */
const OPENS = '/* with BEGIN */'
const OPENED = '/* rows of the opening */'

/** Begins a statement whose rows nobody reads, one of the last of its transaction: it is sent together with COMMIT. */
const LAST = '/* with COMMIT */'

const nothing = { rows: [] }
const isBegin = ([first]: readonly unknown[]): boolean => textOf(first) === 'begin'
const isHeld = (text: string): boolean => text === 'begin' || text.startsWith(OPENS) || text.startsWith(LAST)

/** Adds the name to a statement with values. The query builder passes text and values, other callers pass a statement object. */
function named([first, values, ...rest]: unknown[]): unknown[] {
  if (typeof first === 'string' && Array.isArray(values) && values.length > 0)
    return [{ text: first, values, name: nameOf(first) }, ...rest]
  if (isStatement(first) && first.values?.length && !first.name)
    return [{ ...first, name: nameOf(first.text) }, values, ...rest]
  return [first, values, ...rest]
}

const READ_ONLY = '25006'

const names = new Map<string, string>()
let generation = 0

function nameOf(text: string): string {
  let name = names.get(text)
  if (!name) {
    name = createHash('sha1').update(`${generation} ${text}`).digest('base64url').slice(0, 16)
    names.set(text, name)
  }
  return name
}

/**
 * The next release has added a column to a table that this release reads whole: PostgreSQL refuses each plan made before, in every
 * connection. The first connection that notices gives all statements other names, and so new plans.
 */
function forgetName(statement: unknown): void {
  if (!isStatement(statement) || statement.name !== names.get(statement.text)) return
  generation += 1
  names.clear()
}

const textOf = (statement: unknown): string => {
  if (typeof statement === 'string') return statement
  return isStatement(statement) ? statement.text : ''
}

type Statement = { text: string; values?: unknown[]; name?: string }
const isStatement = (value: unknown): value is Statement =>
  typeof value === 'object' && value !== null && 'text' in value && !('cursor' in value)

type Format = 'text' | 'binary'

// Money and counters are bigint in the database and stay bigint here: a float would round them.
const types = {
  getTypeParser(oid: number, format?: Format): (text: string) => unknown {
    if (oid === pg.types.builtins.INT8) return BigInt
    return usualParser(oid, format)
  },
}

// The driver's types declare the parser as `any`.
function usualParser(oid: number, format: Format | undefined): (text: string) => unknown
function usualParser(oid: number, format: Format | undefined): unknown {
  const parser: unknown = pg.types.getTypeParser(oid, format)
  return parser
}

/** The limits of a connection, in seconds: no statement can hold a lock for longer than its caller waits (rules.md 9). */
type Limits = { lock_s: number; statement_s: number; idle_in_transaction_s: number }

export const limits: Limits = { lock_s: 2, statement_s: 5, idle_in_transaction_s: 10 }

const settingsOf = (role: string | undefined, { lock_s, statement_s, idle_in_transaction_s }: Limits) => ({
  lock_timeout: `${lock_s}s`,
  statement_timeout: `${statement_s}s`,
  idle_in_transaction_session_timeout: `${idle_in_transaction_s}s`,
  timezone: 'UTC',
  ...(role ? { role } : {}),
})

/** Returns the limits and the role as the options of a new connection. */
export const optionsOf = (role: string | undefined, wanted = limits): string =>
  Object.entries(settingsOf(role, wanted))
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')

const setAll = (settings: Record<string, string>): string =>
  Object.entries(settings)
    .map(([name, value]) => `set ${name} = '${value}'`)
    .join('; ')

const direct: Way = { kind: 'direct', preparesStatements: true }

export type PoolSettings = {
  url: string
  role?: string | undefined
  max: number
  acquire_timeout_ms: number
  /** Statements that take longer are logged. */
  slow?: SlowStatements
  way?: Way
  /** Limits other than the product's, for this pool alone. */
  limits?: Limits | undefined
}

/**
 * A bounded pool. Limits are set per connection, so that no statement can hold a lock for longer than its caller
 * waits (rules.md 9 in short: lock 2 s, statement 5 s, idle in a transaction 10 s).
 */
export function createPool({
  url,
  role,
  max,
  acquire_timeout_ms,
  slow,
  way = direct,
  limits: wanted = limits,
}: PoolSettings): pg.Pool {
  const settings: pg.PoolConfig = {
    ...(way.kind === 'direct' && { options: optionsOf(role, wanted) }),
    // A pooler takes no settings with a connection, so they are set once it is open. A connection that refuses them is handed to nobody.
    ...(way.kind === 'session' && {
      // oxlint-disable-next-line typescript/no-misused-promises -- the pool awaits it; its types do not say so
      onConnect: (client: pg.ClientBase) => client.query(setAll(settingsOf(role, wanted))),
    }),
    max,
    connectionTimeoutMillis: acquire_timeout_ms,
    // PostgreSQL's own limit cannot reach us over a network that is down. Ours is a little longer, so that PostgreSQL answers first.
    query_timeout: (wanted.statement_s + 3) * 1000,
    idleTimeoutMillis: 30_000,
    types,
    pipeline: true,
    // Each connection goes to the host that takes writes when it is made.
    Client: class extends PreparingClient {
      constructor(config?: pg.ClientConfig) {
        super({ ...config, connectionString: toPrimary(url) })
      }
      override slow = slow
      override isPreparing = way.preparesStatements
    },
  }
  const pool = new pg.Pool(settings)
  // An idle connection that breaks is replaced at the next use; without a listener it would end the process.
  pool.on('error', () => {})
  // A connection that breaks in use fails its statement, and so the caller gets the error; the pool listens to idle connections only.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/**
 * Returns the query builder over a pool. `url` is the address of the pool: a failed connection starts the search for another of its hosts.
 */
export function createDb(pool: pg.Pool, url: string): Kysely<Database> {
  const guarded = {
    connect: async () => {
      assertOutside(db)
      try {
        return await pool.connect()
      } catch (error) {
        // The search is for the next caller; this one has waited already.
        void findPrimary(url)
        throw error
      }
    },
    end: () => pool.end(),
    options: pool.options,
  }
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: guarded }) })
  return db
}
