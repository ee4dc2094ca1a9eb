import { displayNames, vatIdsAfter } from '#features/profile/server/profile.ts'
import * as contract from '#features/invoices/contract.ts'
import type { App } from '#foundation/server/app.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import { databaseTime } from './queries.ts'
import * as evidence from './vat-evidence-queries.ts'
import { stateOf } from './vat-status.ts'
import { needsProof } from './vat.ts'

const AT_ONCE = 1_000
// The most VAT ids that one call reads, however few of them are open; the next page goes on from there.
const MOST_READ = 5_000

/** Answers `GET /api/staff/vat-ids/`. */
export const listVatIds = handler(contract.listVatIds, async ({ app, query }) => ({
  status: 200,
  body: await pageOfVatIds(app, query),
}))

/** Returns a page of the open VAT ids: VAT is charged all the same, because nobody has confirmed them. */
async function pageOfVatIds(app: App, { limit, cursor }: { limit: number; cursor?: string | undefined }) {
  const [after] = placeIn(cursor, [placeKinds.uuid]) ?? []
  const { people, hasMore } = await read(app, after, limit)
  const { items, next_cursor } = pageFrom(
    hasMore ? [...people, ...people.slice(-1)] : people,
    people.length,
    ({ user_id }) => [user_id],
    (person) => person,
  )
  const open = items.flatMap(({ state, ...person }) => (isOpen(state) ? [{ ...person, state }] : []))
  const names = await displayNames(
    app,
    app.db,
    open.map(({ user_id }) => user_id),
  )
  const asked = await Promise.all(open.map((person) => evidence.askingOf(app.db, person)))
  return {
    items: open.map(({ user_id, country, vat_id, state }, index) => ({
      customer: names.of(user_id),
      country,
      vat_id,
      state,
      asked_since: asked[index]?.since?.toISOString() ?? null,
    })),
    next_cursor,
  }
}

type Person = { user_id: string; country: string; vat_id: string; state: State }

/** Reads customers with a VAT id, in order of user id from `after` on, with the id's state, until `limit` of the states are open. */
async function read(app: App, after: string | undefined, limit: number) {
  const people: Person[] = []
  const at = await databaseTime(app.db)
  let found = 0
  while (people.length < MOST_READ) {
    const batch = await vatIdsAfter(app.db, people.at(-1)?.user_id ?? after, AT_ONCE)
    const states = await Promise.all(
      batch.map(async (person) =>
        needsProof(app.config.company, person)
          ? stateOf(app, person, await evidence.proofOf(app.db, person), at)
          : ('not_needed' as const),
      ),
    )
    for (const [index, person] of batch.entries()) {
      const state = states[index] ?? 'not_needed'
      people.push({ ...person, state })
      if (isOpen(state)) found += 1
      if (found === limit) return { people, hasMore: index < batch.length - 1 || batch.length === AT_ONCE }
    }
    if (batch.length < AT_ONCE) return { people, hasMore: false }
  }
  return { people, hasMore: true }
}

type State = contract.VatStatus['state']
type OpenState = contract.OpenVatId['state']

const isOpen = (state: State): state is OpenState => contract.openVatIdStates.some((open) => open === state)
