import pg from 'pg'
import { must } from '#foundation/must.ts'
import type { History } from './acts.ts'
import { live } from './perform-acts.ts'
import type { Life } from './life.ts'
import type { Edition, Model, Plan } from './model.ts'
import { asReplica } from './passing.ts'
import { AT_END, expectPlans } from './plans.ts'
import type { Beginning } from './people.ts'
import { EDITIONS, editionSlug, TERMS, type Lane } from './world.ts'

/** Performs the acts of a history in the product and in the model, and compares the two after each act. */
export async function liveWhole(
  lane: Lane,
  history: History,
  born: Beginning,
  did: Map<string, number>,
): Promise<void> {
  const life = await begin(lane, history, born, did)
  for (const act of history.acts) await life.live(act)
  await expectPlans(life, AT_END)
}

async function begin(
  lane: Lane,
  { nets, trials, acts }: History,
  born: Beginning,
  did: Map<string, number>,
): Promise<Life> {
  const { people, accounts, hostId, host_id } = born
  const model: Model = {
    ...(await freshCatalogue(lane, nets, trials)),
    ...accounts,
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
  const random = randomFrom(JSON.stringify(acts).length)
  const life: Life = {
    lane,
    model,
    people,
    hostId,
    host_id,
    did,
    random,
    live: (act) => live(life, act),
  }
  return life
}

/** Returns a small random generator with a fixed seed, so that a repeated history checks the same times. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Sets new prices, and clears the entitlements of the editions. No other history uses the catalogue of the lane meanwhile. */
async function freshCatalogue(
  lane: Lane,
  nets: readonly number[],
  trials: readonly number[],
): Promise<Pick<Model, 'plans' | 'editions'>> {
  const { owner } = lane.world
  const since = Date.now() - 1000
  const plans = new Map<string, Plan>()
  const editions = new Map<string, Edition>()
  const tried: string[] = []
  for (const [place] of EDITIONS.entries()) {
    const edition = editionSlug(lane, place)
    const trial_days = must(trials[place])
    tried.push(`update editions set trial_days = ${trial_days} where slug = '${edition}'`)
    editions.set(edition, { slug: edition, rank: 10 * (place + 1), trial_days, entitlements: {} })
    for (const [turn, [term, , months]] of TERMS.entries()) {
      const net = BigInt(must(nets[place * TERMS.length + turn]))
      const prices = [{ net, from: since, renewals_from: since }]
      plans.set(`${edition}-${term}`, { slug: `${edition}-${term}`, edition, months, prices })
    }
  }
  const sold = [...plans.values()].map(({ slug, prices }) => ({ slug, net: String(must(prices[0]).net) }))
  const prices = pg.escapeLiteral(JSON.stringify(sold))
  const at = `'${new Date(since).toISOString()}'::timestamptz`
  await asReplica(owner, [
    `delete from edition_entitlements where edition like '${lane.name}-%'`,
    ...tried,
    `delete from plan_prices where plan like '${lane.name}-%'`,
    `insert into plan_prices (plan, net, from_at, renewals_from_at)
       select slug, net, ${at}, ${at} from json_to_recordset(${prices}) as p (slug text, net bigint)`,
  ])
  return { plans, editions }
}
