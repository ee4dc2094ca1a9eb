import { toPrimary } from './primary.ts'
import pg from 'pg'
import { ConfigError } from '#foundation/server/config-error.ts'
import { refusalOf, refusalOfOthers, type RanStep } from './judge-steps.ts'
import { runMigration, type Migration } from './run-migration.ts'
import { allSteps, stepNames } from './steps.ts'
import { waitFor, type Waiting } from './wait-for.ts'

// Any number that nobody else uses as an advisory lock in this database.
const LOCK = 7_242_011

type MigrateOptions = {
  /** Runs only these steps, to restore a backup into the schema of its time. */
  only?: readonly RanStep[]
  /** Accepts a database that the next release has migrated, for an operator who goes back one release on purpose. */
  acceptNewer?: boolean
  /** How long to wait for others, and whom to tell. */
  waiting?: Waiting
}

/**
 * Brings the database to the newest schema: runs the baseline and then each file of database/migrations once, in order, and records that in
 * the same transaction, so that a kill at any statement leaves all of a step or nothing. Two processes that start at once take turns. Throws
 * ConfigError for a database or a backup that this release does not read.
 */
export async function migrate(ownerUrl: string, options: MigrateOptions = {}): Promise<void> {
  const { only, acceptNewer = false, waiting = {} } = options
  const client = new pg.Client({ connectionString: toPrimary(ownerUrl) })
  await client.connect()
  try {
    // The lock is tried again and again, because `create index concurrently` waits for every open statement, and would wait for a statement
    // that waits for this lock.
    await waitFor('another process migrates the database', waiting, async () => {
      const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [
        LOCK,
      ])
      return rows[0]?.mine === true
    })
    const { pending, refusal } = await inspectMigrations(client, { acceptNewer })
    const refused = refusal ?? (only && refusalOf('backup', only, await allSteps()))
    if (refused !== undefined) throw new ConfigError([refused])
    await client.query(
      'create table if not exists migrations (name text primary key, hash text not null, ran_at timestamptz not null default now())',
    )
    for (const migration of pending)
      if (only?.some(({ name }) => name === migration.name) ?? true)
        await runMigration(client, migration, waiting)
    // Lets the application read the table, because /readyz checks that all migrations have run.
    await client.query("select allow_app('migrations', 'select')")
  } finally {
    await client.end()
  }
}

type Inspected = {
  /** The steps that have not run yet; empty means current. */
  pending: Migration[]
  /** The line by which a start refuses the database; undefined if a start takes it. */
  refusal: string | undefined
}

/** Judges a database as a start does, and changes nothing. */
export async function inspectMigrations(
  client: pg.Client,
  { acceptNewer }: { acceptNewer: boolean },
): Promise<Inspected> {
  const ours = await allSteps()
  const isKept = await keepsRecord(client)
  const ran = isKept ? await ranSteps(client) : []
  const pending = ours.filter(({ name }) => ran.every((step) => step.name !== name))
  const refusal =
    ran.length > 0
      ? refusalOf('database', ran, ours, { acceptNewer })
      : refusalOfOthers(await findStranger(client, isKept))
  return { pending, refusal }
}

/** True if the database has a table of the steps that ran. Other products call a table of other columns so, too. */
async function keepsRecord(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ columns: number }>(
    `select count(*)::int as columns from pg_attribute
     where attrelid = to_regclass('public.migrations') and attname in ('name', 'hash') and not attisdropped`,
  )
  return rows[0]?.columns === 2
}

async function ranSteps(client: pg.Client): Promise<RanStep[]> {
  return (await client.query<RanStep>('select name, hash from migrations order by name')).rows
}

/**
 * Returns the name of a table, or of a collation as the baseline makes one, in a database where no step has run; undefined if there is none.
 * Extensions bring tables of their own, and poolers functions, which do not matter.
 */
async function findStranger(client: pg.Client, isKept: boolean): Promise<string | undefined> {
  const { rows } = await client.query<{ stranger: string }>(
    `select pg_describe_object(kind, id, 0) as stranger from (
       select 'pg_class'::regclass as kind, oid as id from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not (relname = 'migrations' and $1)
       union all select 'pg_collation'::regclass, oid from pg_collation where collnamespace = 'public'::regnamespace) there
     where not exists (select from pg_depend d where d.classid = kind and d.objid = id and d.deptype = 'e')
     order by kind <> 'pg_class'::regclass, stranger limit 1`,
    [isKept],
  )
  return rows[0]?.stranger
}

/** The names of the files that have not run yet; empty means current. */
export async function missingMigrations(client: pg.ClientBase | pg.Pool): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from migrations')
  const names = new Set(rows.map(({ name }) => name))
  return (await stepNames()).filter((name) => !names.has(name))
}
