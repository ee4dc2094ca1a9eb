import { atOnce } from '#foundation/server/database/batched.ts'
import { must } from '#foundation/must.ts'
import { withoutOrder } from '#foundation/server/database/lock-order.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { startSession } from '#foundation/server/session/session.ts'
import { post } from '#features/finance/server/ledger.ts'
import { randomLicenceKey } from '#features/hosts/server/random-words.ts'
import { randomId } from '#foundation/server/random-id.ts'
import { anyEmail } from '#tests/harness/any-email.ts'
import type { Person } from '#tests/harness/in-process.ts'
import { anyAddress } from '#tests/harness/shop.ts'
import type { History } from './acts.ts'
import type { Account, Side } from './model.ts'
import { RATES, type World } from './world.ts'

/** The two accounts of a history and the owner's server, before anything has happened. */
export type Beginning = {
  people: Record<Side, Person>
  accounts: Record<Side, Account>
  hostId: string
  host_id: string
}

const sides = ['owner', 'payer'] as const
type Wanted = { side: Side; email: string; country: string; amount: bigint }

/** Makes the beginnings of several histories by few statements: one by one, a beginning would cost as much as the acts of its history. */
export async function beginnings(world: World, histories: readonly History[]): Promise<Beginning[]> {
  const wanted = histories.map(({ countries, money }) =>
    sides.map((side): Wanted => ({
      side,
      email: anyEmail(),
      country: countries[side],
      amount: BigInt(money[side]),
    })),
  )
  const made = await insertPeople(world, wanted.flat())
  const { app } = world.test
  const fill = (tx: Tx, { email, amount }: Wanted) =>
    post(app, tx, {
      type: 'fill_balance',
      user_id: must(made.get(email)).user_id,
      amount,
      provider: 'test',
      description: { code: 'top_up', params: { provider: 'test' } },
    })
  // Nobody else knows these accounts yet: the order of locks is not needed.
  const filled = await transaction(app, 'system', (tx) =>
    withoutOrder(tx, () => atOnce(wanted.flat().map((one) => fill(tx, one)))),
  )
  await nameCards(
    world,
    wanted.flat().map(({ email, country }, place) => ({
      user_id: must(made.get(email)).user_id,
      country,
      transaction_id: must(filled[place]).transaction_id,
    })),
  )
  const payments = filled.values()
  const accountOf = ({ country, amount }: Wanted): Account => {
    const { transaction_id: id } = must(payments.next().value)
    return {
      rate_bp: must(RATES[country]),
      balance: amount,
      payments: [{ id, left: amount }],
      debt: null,
      tried: new Set<string>(),
    }
  }
  const person = (one: Wanted) => personOf(world, one, must(made.get(one.email)).user_id)
  const born: Beginning[] = []
  for (const two of wanted) {
    const [owner, payer] = [must(two[0]), must(two[1])]
    const { host_id, public_id } = must(made.get(owner.email))
    born.push({
      people: { owner: await person(owner), payer: await person(payer) },
      accounts: { owner: accountOf(owner), payer: accountOf(payer) },
      hostId: public_id,
      host_id,
    })
  }
  return born
}

type Made = { user_id: string; public_id: string; host_id: string }

/** Returns the accounts by their email addresses. Only owners have a server. */
async function insertPeople({ owner }: World, people: readonly Wanted[]): Promise<Map<string, Made>> {
  const given = people.map(({ side, email, country }) => ({
    email,
    country,
    public_id: randomId(),
    licence_key: randomLicenceKey(),
    ipv4: side === 'owner' ? anyAddress() : null,
  }))
  const { rows } = await owner.query<Made & { email: string }>({
    name: 'people',
    text: `
      with given as (
          select * from json_to_recordset($1) as g (email text, country text, public_id text, licence_key text, ipv4 inet)),
        people as (insert into users (email, locale, has_password) select email, 'en', true from given returning id, email),
        addresses as (insert into email_addresses (user_id, email, is_primary, verified_at) select id, email, true, now() from people),
        named as (insert into profiles (user_id, name, surname, address, zip, city, country)
          select p.id, 'Ada', 'Otter', '1 Main Street', '10115', 'Berlin', g.country from people p join given g using (email)),
        servers as (insert into hosts (public_id, user_id, name, ipv4, licence_key)
          select g.public_id, p.id, 'otter', g.ipv4, g.licence_key from people p join given g using (email) where g.ipv4 is not null
          returning id, user_id, public_id)
      select p.email, p.id as user_id, s.public_id, s.id as host_id from people p left join servers s on s.user_id = p.id`,
    values: [JSON.stringify(given)],
  })
  return new Map(rows.map(({ email, ...made }) => [email, made]))
}

type Paid = { user_id: string; country: string; transaction_id: string }

/** Says of each first payment that its card is of the buyer's country, which speaks for the address: else the highest VAT is charged. */
async function nameCards({ owner, currency }: World, paid: readonly Paid[]): Promise<void> {
  const given = paid.map((one) => ({ ...one, public_id: randomId() }))
  await owner.query({
    name: 'cards',
    text: `
      with given as (
          select * from json_to_recordset($1) as g (user_id uuid, country text, transaction_id uuid, public_id text)),
        paid as (insert into top_ups (public_id, user_id, provider, amount, currency, status)
          select public_id, user_id, 'test', 1, $2, 'paid' from given returning id, public_id)
      insert into payment_events (provider, event_id, kind, top_up_id, settled_at, transaction_id, paid_from)
      select 'test', g.public_id, 'paid', p.id, now(), g.transaction_id, g.country from given g join paid p using (public_id)`,
    values: [JSON.stringify(given), currency],
  })
}

/** Starts a session for the person only where calls go over HTTP: calls in the process need none. */
async function personOf(
  { test, isOverHttp, somebody }: World,
  wanted: Wanted,
  user_id: string,
): Promise<Person> {
  const { email } = wanted
  const api = test.client()
  const person = { user_id, email, api, address: { ...somebody.address, email } }
  if (!isOverHttp) return { ...person, actor: { ...somebody.actor, user_id, email } }
  const methods = [{ method: 'password' as const, at: Date.now() / 1000, email }]
  const from = { ip: '127.0.0.1', user_agent: 'tests' }
  const started = await transaction(test.app, 'system', (tx) =>
    startSession(test.app, tx, { user_id, methods, from }),
  )
  Object.assign(api, {
    session_token: started.session_token,
    access_token: started.access_token.access,
    refresh_token: started.access_token.refresh,
  })
  return { ...person, actor: started.actor }
}
