import type pg from 'pg'
import type { InputOf, Route } from '#foundation/contract.ts'
import { keepRates } from '#features/invoices/server/invoices.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { addEdition, addPlan } from '#features/licences/server/licences.ts'
import type { Key } from '#agent/judge.mjs'
import type { VectorCase } from '#tests/libraries/cases/case.ts'
import { publishedKeys } from '#tests/harness/agents.ts'
import { callInProcess, newPerson, type Person, type Reply } from '#tests/harness/in-process.ts'
import { superusersOf } from '#tests/harness/superuser.ts'
import { startTestApp, type TestApp } from '#tests/harness/test-app.ts'

/** One installation in which many histories run side by side, each in a lane with a catalogue of its own. */
export type World = {
  test: TestApp
  currency: string
  keys: readonly Key[]
  /** Superuser connections, which read the tables and shift the rows' times to let time pass (passing.ts). */
  owner: pg.Pool
  isOverHttp: boolean
  /** The template of all persons who call in this process: only their accounts differ. */
  somebody: Person
  /** The answers of the JavaScript library about documents at the ends of histories; each agrees with the model. */
  judged: VectorCase[]
}

export const TERMS = [
  ['month', 'P1M', 1],
  ['quarter', 'P3M', 3],
  ['year', 'P1Y', 12],
] as const
export const EDITIONS = ['bronze', 'silver', 'gold'] as const

/** The VAT of a consumer by country, in basis points. */
export const RATES: Readonly<Record<string, bigint>> = { DE: 1900n, FI: 2550n, LU: 1700n, US: 0n }

export type Lane = { world: World; name: string }

export async function openWorld(
  currency: string,
  lanes: number,
  isOverHttp: boolean,
): Promise<{ world: World; lanes: Lane[] }> {
  const test = await startTestApp({ settings: { CURRENCY: currency, RATE_LIMIT_SCALE: '100000' } })
  // An invoice in yen states its VAT in euros, too, by a rate of these days.
  const rate = { day: new Date().toISOString().slice(0, 10), currency: 'JPY', per_euro: '170' }
  await transaction(test.app, 'system', (tx) => keepRates(tx, [rate], 'ECB'))
  const owner = superusersOf(test, lanes)
  // PostgreSQL would spend a third of its processor time on planning small statements anew, so plans are kept. Such plans are made while
  // the tables are empty: the other settings make them use indices, which are needed once the tables are full.
  const settings = [
    'plan_cache_mode = force_generic_plan',
    'enable_seqscan = off',
    'enable_hashjoin = off',
    'enable_mergejoin = off',
  ]
  for (const setting of settings) {
    await owner.query(
      `do $$ begin execute format('alter database %I set ${setting}', current_database()); end $$`,
    )
    await owner.query(`set ${setting}`)
  }
  const [keys, somebody] = [await publishedKeys(test), await newPerson(test)]
  const world = { test, currency, owner, keys, isOverHttp, somebody, judged: [] }
  const made = Array.from({ length: lanes }, (_, place) => ({ world, name: `lane${place}` }))
  for (const lane of made) await stock(lane)
  return { world, lanes: made }
}

export async function closeWorld({ test, owner }: World): Promise<void> {
  await owner.end()
  await test.close()
}

export const editionSlug = ({ name }: Lane, place: number) => `${name}-${must(EDITIONS[place])}`

async function stock(lane: Lane): Promise<void> {
  await transaction(lane.world.test.app, 'system', async (tx) => {
    for (const [place] of EDITIONS.entries()) {
      const edition = editionSlug(lane, place)
      const name = { en: edition, de: edition, ru: edition }
      const empty = { en: '', de: '', ru: '' }
      const what = { description: empty, features: [], entitlements: {}, trial_days: 0 }
      await addEdition(tx, { slug: edition, name, rank: 10 * (place + 1), ...what })
      for (const [term, code] of TERMS) {
        const slug = `${edition}-${term}`
        await addPlan(tx, {
          slug,
          name: { en: slug, de: slug, ru: slug },
          term: code,
          price_net: 1000n,
          edition,
        })
      }
    }
  })
}

/** Calls over HTTP where `isOverHttp` is set, else in this process. */
export const call = <const R extends Route>(
  { test, isOverHttp }: World,
  person: Person,
  contract: R,
  input: InputOf<R>,
): Promise<Reply<R>> =>
  isOverHttp ? person.api.call(contract, input) : callInProcess(test.app, person, contract, input)
