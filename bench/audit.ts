import type pg from 'pg'
import { dropIndices } from '#foundation/server/backup/queries.ts'
import { withConnection } from '#foundation/server/database/with-connection.ts'
import { must } from '#foundation/must.ts'
import type { InputOf } from '#foundation/contract.ts'
import * as operations from '#features/operations/contract.ts'
import type { Client } from '#tests/harness/client.ts'
import { databaseOf, startProduct } from '#tests/system/product-process.ts'
import type { Figure } from '#tools/figures/table.ts'
import { answerTimes, warmUp } from './answer-times.ts'
import { benchFolder, keepPeople, keptPeople, type Keeping, type People } from './kept.ts'
import { signInMany } from './people.ts'
import { production } from './production.ts'

const SIZES = { customers: 50_000, members: 20, rows: 5_000_000 }
const LOAD = { at_once: 20, requests: 400 }

/** Measures the audit list of 5,000,000 entries with each filter, for 20 admins at once. Filling the tables takes some minutes. */
export async function measureAudit(keeping: Keeping): Promise<Figure[]> {
  const { dataDir, remove } = benchFolder(keeping)
  const settings = { ...production, NODE_ENV: 'production', ROLE: 'web', RATE_LIMIT_SCALE: '1000000' }
  const product = await startProduct({ dataDir, settings })
  try {
    const { staff } =
      keptPeople(dataDir, product.url) ?? (await filled({ url: product.url, dataDir, settings }))
    if (keeping.only_fill) return []
    const { people, members } = await withConnection(databaseOf(dataDir), everybody)
    const figures: Figure[] = []
    await warmUp((place) => ask(must(staff[place % staff.length]).api, {}))
    for (const [name, filter] of filtersOf(people, members)) {
      const times = await answerTimes(`audit, ${name}`, LOAD, (place) =>
        ask(must(staff[place % staff.length]).api, filter(place)),
      )
      figures.push({ ...times, most: 80 })
    }
    return figures
  } finally {
    await product.stop()
    remove()
  }
}

type Query = InputOf<typeof operations.listAudit>['query']

async function ask(api: Client, query: Query): Promise<void> {
  const reply = await api.call(operations.listAudit, { query })
  if (reply.status !== 200 || reply.body.items.length === 0)
    throw new Error(`the audit answers ${reply.status} to ${JSON.stringify(query)}`)
}

const ACTS = [
  'session.started',
  'session.ended',
  'login.refused',
  'finance.refunded',
  'finance.credit_given',
  'password.changed',
  'customer.blocked',
]

/** The filters of the audit list, each by itself and with another value at each request. */
const filtersOf = (
  people: readonly string[],
  members: readonly string[],
): readonly (readonly [string, (place: number) => Query])[] => [
  ['newest', () => ({})],
  ['an account', (place) => ({ person: must(people[(place * 997) % people.length]) })],
  [
    'a customer by address',
    (place) => ({ q: `customer-${1 + ((place * 997) % SIZES.customers)}@example.org` }),
  ],
  ['what staff did', (place) => ({ actor: must(members[place % members.length]) })],
  ['what a customer did', (place) => ({ actor: must(people[(place * 991) % people.length]) })],
  ['an action', (place) => ({ act: must(ACTS[place % ACTS.length]) })],
  ['an address', (place) => ({ ip: `10.${(place * 997) % 200}.${(place * 997) % 250}.9` })],
  ['from a day on', (place) => ({ from: momentOf(place) })],
  ['up to a day', (place) => ({ to: momentOf(place) })],
]

const momentOf = (place: number): string =>
  new Date(Date.UTC(2025, 1, 1 + ((place * 37) % 500))).toISOString()

async function filled(installation: Parameters<typeof signInMany>[0]): Promise<People> {
  const people = await signInMany(installation, { customers: 0, staff: LOAD.at_once })
  await seedAudit(databaseOf(installation.dataDir))
  keepPeople(installation.dataDir, people)
  return people
}

/** The customers and the members of staff, by their ids. */
async function everybody(client: pg.Client): Promise<{ people: string[]; members: string[] }> {
  const idsOf = async (is_staff: boolean) => {
    const { rows } = await client.query<{ id: string }>(
      'select id from users where is_staff = $1 order by id',
      [is_staff],
    )
    return rows.map(({ id }) => id)
  }
  return { people: await idsOf(false), members: await idsOf(true) }
}

/** Plants two years of sign-ins and staff actions, written as the product writes them, but with the triggers off. */
async function seedAudit(url: string): Promise<void> {
  await withConnection(url, async (client) => {
    await client.query("select set_config('app.actor', 'system', false)")
    await client.query('set session_replication_role = replica')
    await client.query(`update users set staff_roles = '{admin}' where is_staff`)
    await client.query(
      `with person as (
         insert into users (email) select 'customer-' || n || '@example.org' from generate_series(1, $1::int) n returning id, email),
       address as (
         insert into email_addresses (user_id, email, verified_at, is_primary) select id, email, now(), true from person)
       insert into profiles (user_id, name, surname) select id, 'Anna', 'Customer' from person`,
      [SIZES.customers],
    )
    const { people, members } = await everybody(client)
    process.stderr.write('bench: audit: entries …\n')
    const makeIndices = await dropIndices(client, ['audit'])
    await client.query(
      `insert into audit (at, user_id, act, ip, user_agent, request_id, detail, actor_kind, actor_id)
       select timestamptz '2024-12-01' + n * (interval '722 days' / $1), person, act, ('10.' || n % 200 || '.' || n % 250 || '.9')::inet,
         'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', gen_random_uuid(),
         case when by_staff then jsonb_build_object('by', member, 'reason', 'Asked for it by phone') else '{}' end,
         case when by_staff then 'staff' when act = 'login.refused' then 'stranger' else 'self' end,
         case when by_staff then member when act <> 'login.refused' then person end
       from (
         select n, ($2::uuid[])[1 + n % cardinality($2)] as person, ($3::uuid[])[1 + n / 7 % cardinality($3)] as member,
           ($4::text[])[1 + n % 7] as act, n % 7 in (3, 4, 6) as by_staff
         from generate_series(1, $1::int) n) g`,
      [SIZES.rows, people, members, ACTS],
    )
    process.stderr.write('bench: audit: indices …\n')
    await client.query("set maintenance_work_mem = '512MB'")
    await makeIndices()
    await client.query('vacuum analyze')
  })
}
