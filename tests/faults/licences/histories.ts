import { must } from '#foundation/must.ts'
import { createHost } from '#features/hosts/contract.ts'
import { updateProfile } from '#features/profile/contract.ts'
import { anyAddress } from '#tests/harness/shop.ts'
import { addMoney } from '#tests/harness/money.ts'
import type { History } from './acts.ts'
import { live } from './perform-acts.ts'
import type { Life } from './life.ts'
import type { Account, Edition, Model, Plan } from './model.ts'
import { asReplica } from './passing.ts'
import { AT_END, expectPlans } from './plans.ts'
import { codeOf, newPerson, type Person } from '#tests/harness/in-process.ts'
import { call, EDITIONS, editionSlug, RATES, TERMS, type Lane } from './world.ts'

/** Lives a history from its beginning, and holds the product against the model after each act. */
export async function liveWhole(lane: Lane, history: History, did: Map<string, number>): Promise<void> {
  const life = await begin(lane, history, did)
  for (const act of history.acts) await life.live(act)
  await expectPlans(life, AT_END)
}

async function begin(
  lane: Lane,
  { countries, money, nets, acts }: History,
  did: Map<string, number>,
): Promise<Life> {
  const { world } = lane
  const [owner, payer] = [await newPerson(world.test), await newPerson(world.test)]
  const model: Model = {
    ...(await freshCatalogue(lane, nets)),
    owner: await account(lane, owner, countries.owner, money.owner),
    payer: await account(lane, payer, countries.payer, money.payer),
    agreement: null,
    without_server: [],
    spent: new Map(),
    periods: [],
    suspended: null,
    auto_renew: false,
    choice: null,
    watch: null,
    jobs: new Map(),
  }
  const made = await call(world, owner, createHost, {
    headers: {},
    body: { name: 'otter', ipv4: anyAddress() },
  })
  if (made.status !== 201) throw new Error(`no host: ${codeOf(made)}`)
  const hostId = (made.body as { id: string }).id
  const { rows } = await world.owner.query<{ id: string }>('select id from hosts where public_id = $1', [
    hostId,
  ])
  const random = randomFrom(JSON.stringify(acts).length)
  const people = { owner, payer }
  const life: Life = {
    lane,
    model,
    people,
    hostId,
    host_id: must(rows[0]).id,
    did,
    random,
    live: (act) => live(life, act),
  }
  return life
}

/** A small generator, so that a history that is lived again looks at the same times. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

async function account(lane: Lane, person: Person, country: string, amount: number): Promise<Account> {
  const body = {
    name: 'Ada',
    surname: 'Otter',
    address: '1 Main Street',
    zip: '10115',
    city: 'Berlin',
    country,
  }
  const changed = await call(lane.world, person, updateProfile, { body })
  if (changed.status !== 200) throw new Error(`no profile: ${codeOf(changed)}`)
  const { transaction_id } = await addMoney(lane.world.test.app, person.user_id, BigInt(amount))
  const balance = BigInt(amount)
  return {
    rate_bp: must(RATES[country]),
    balance,
    payments: [{ id: transaction_id, left: balance }],
    debt: null,
  }
}

/** New prices and nothing that editions allow, as nobody else buys in this lane. */
async function freshCatalogue(
  lane: Lane,
  nets: readonly number[],
): Promise<Pick<Model, 'plans' | 'editions'>> {
  const { owner } = lane.world
  const since = Date.now() - 1000
  const plans = new Map<string, Plan>()
  const editions = new Map<string, Edition>()
  for (const [place] of EDITIONS.entries()) {
    const edition = editionSlug(lane, place)
    editions.set(edition, { slug: edition, rank: 10 * (place + 1), entitlements: {} })
    for (const [turn, [term, , months]] of TERMS.entries()) {
      const net = BigInt(must(nets[place * TERMS.length + turn]))
      const prices = [{ net, from: since, renewals_from: since }]
      plans.set(`${edition}-${term}`, { slug: `${edition}-${term}`, edition, months, prices })
    }
  }
  const sold = [...plans.values()].map(({ slug, prices }) => ({ slug, net: String(must(prices[0]).net) }))
  await asReplica(owner, async (connection) => {
    await connection.query(`delete from edition_entitlements where edition like $1`, [`${lane.name}-%`])
    await connection.query(
      `insert into plan_prices (plan, net, from_at, renewals_from_at)
       select slug, net, $2::timestamptz, $2 from json_to_recordset($1) as p (slug text, net bigint)`,
      [JSON.stringify(sold), new Date(since)],
    )
  })
  return { plans, editions }
}
