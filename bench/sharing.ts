import { Client as Connection } from 'pg'
import { listHosts } from '#features/hosts/contract.ts'
import { listAccounts } from '#features/sharing/contract.ts'
import { listTickets } from '#features/support/tickets/contract.ts'
import type { InputOf } from '#foundation/contract.ts'
import { must } from '#foundation/must.ts'
import { databaseOf, makeDataDir, startProduct } from '#tests/system/product-process.ts'
import type { Figure } from '#tools/figures/table.ts'
import { answerTimes } from './answer-times.ts'
import { signInMany } from './people.ts'
import { production } from './production.ts'

const HELPED = { accounts: 200, hosts: 25, tickets: 10 }
/** The most accounts that one person may help. Only the account switcher, which lists them, is measured with so many. */
const MOST_ACCOUNTS = 500
const LOAD = { at_once: 4, requests: 200 }

/** Measures, for people who help many accounts, the lists of the servers and tickets of all these accounts, and the account switcher. */
export async function measureSharing(): Promise<Figure[]> {
  const { dataDir, remove } = makeDataDir()
  const settings = { ...production, NODE_ENV: 'production', ROLE: 'web', RATE_LIMIT_SCALE: '1000000' }
  const product = await startProduct({ dataDir, settings })
  try {
    const { customers } = await signInMany(
      { url: product.url, dataDir, settings },
      { customers: 3, staff: 0 },
    )
    const [agency, person, busiest] = [must(customers[0]), must(customers[1]), must(customers[2])]
    await seedHelped(databaseOf(dataDir), {
      agency: agency.user_id,
      person: person.user_id,
      busiest: busiest.user_id,
    })
    const { accounts, hosts } = HELPED
    const measure = async (name: string, most: number, ask: () => Promise<{ status: number }>) => ({
      ...(await answerTimes(`sharing, ${name}`, LOAD, async () => assertAnswered(await ask()))),
      most,
    })
    const hostsOf = (query: InputOf<typeof listHosts>['query']) => () =>
      agency.api.call(listHosts, { query: { for: 'all', ...query } })
    const of = `${accounts} accounts of ${hosts} servers`
    return [
      await measure(`for=all, ${of}`, 100, hostsOf({})),
      await measure(`for=all by name, 100, ${of}`, 100, hostsOf({ sort: 'name', limit: '100' })),
      await measure(`for=all, search, ${of}`, 100, hostsOf({ q: '17', sort: 'name' })),
      await measure(`for=all, passed on, ${of}`, 100, () =>
        person.api.call(listHosts, { query: { for: 'all' } }),
      ),
      await measure(`tickets for=all, ${accounts} accounts of ${HELPED.tickets}`, 100, () =>
        agency.api.call(listTickets, { query: { for: 'all', tab: 'open' } }),
      ),
      await measure(`switcher, ${MOST_ACCOUNTS} accounts`, 100, () =>
        busiest.api.call(listAccounts, { query: { limit: '50' } }),
      ),
      await measure(`switcher, search in ${MOST_ACCOUNTS} accounts`, 100, () =>
        busiest.api.call(listAccounts, { query: { limit: '50', q: 'owner-49' } }),
      ),
    ]
  } finally {
    await product.stop()
    remove()
  }
}

function assertAnswered(answer: { status: number }): void {
  if (answer.status !== 200) throw new Error(`the list answers ${JSON.stringify(answer)}`)
}

type Helpers = { agency: string; person: string; busiest: string }

/**
 * Writes accounts with servers and tickets. `agency` helps 200 of them, `person` helps the same accounts through `agency`, and `busiest`
 * helps all 500 accounts.
 */
async function seedHelped(url: string, { agency, person, busiest }: Helpers): Promise<void> {
  const connection = new Connection({ connectionString: url })
  await connection.connect()
  try {
    // Foreign keys and triggers are off: these rows need no checks.
    await connection.query('set session_replication_role = replica')
    await connection.query(
      `create temporary table owners as select gen_random_uuid() as id, place from generate_series(1, $1::int) place`,
      [MOST_ACCOUNTS],
    )
    await connection.query(
      `insert into users (id, email) select id, 'owner-' || place || '@example.org' from owners;
       insert into email_addresses (user_id, email, verified_at, is_primary)
         select id, 'owner-' || place || '@example.org', now(), true from owners;
       insert into profiles (user_id, name, surname) select id, 'Owner', place::text from owners`,
    )
    await connection.query(
      `insert into account_grants (owner_id, email, grantee_id, role, all_hosts, may_pass_on, state, accepted_at)
       select id, 'agency@example.org', $1::uuid, 'technical', true, true, 'active', now() from owners where place <= $4::int
       union all select id, 'busiest@example.org', $3::uuid, 'technical', true, false, 'active', now() from owners
       union all select $1::uuid, 'person@example.org', $2::uuid, 'full', true, false, 'active', now()`,
      [agency, person, busiest, HELPED.accounts],
    )
    await connection.query(
      `insert into hosts (public_id, user_id, name, ipv4, licence_key, paid_until, created_at)
       select lpad((place * 1000 + n)::text, 22, 'H'), id, 'web-' || place || '-' || n, '10.0.0.0'::inet + place * 1000 + n,
         lpad((place * 1000 + n)::text, 32, 'K'), case n % 2 when 0 then now() + n * interval '1 day' end,
         now() - (place * 37 + n) % 700 * interval '1 day'
       from owners, generate_series(1, $1::int) n where place <= $2::int`,
      [HELPED.hosts, HELPED.accounts],
    )
    await connection.query(
      `insert into tickets (public_id, user_id, subject, topic, last_message_at, waiting_since)
       select lpad((place * 1000 + n)::text, 22, 'T'), id, 'Question ' || n,
         case n % 2 when 0 then 'technical' else 'finances' end, now() - (place * 37 + n) * interval '1 minute', now()
       from owners, generate_series(1, $1::int) n where place <= $2::int`,
      [HELPED.tickets, HELPED.accounts],
    )
    await connection.query('analyze')
  } finally {
    await connection.end()
  }
}
