import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  changeAnswerCalendar,
  changeAnswerTargets,
  readAnswerTimes,
} from '#features/support/answers/contract.ts'
import { countBefore } from '#features/support/tickets/server/due-queries.ts'
import { priorities, type Priority } from '#features/support/tickets/rules.ts'
import { must } from '#foundation/must.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { asOwner, bodyOf, paidHost } from '#tests/harness/hosts.ts'
import { openQuarters, openTimeAfter, quartersOf } from '#tests/harness/open-time-model.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { expectAllAnew } from './answers.ts'

/** Rounds of 500 histories; 20 by `npm run test:faults -- answers`. */
const ROUNDS = Number(process.env['ANSWER_ROUNDS'] ?? 2)
const HISTORIES = 500
const TIME_ms = 60_000 + ROUNDS * 20_000

const test = await startTestApp()
const admin = await signedInStaff(test, { roles: ['admin'] })
const [plain, buyer] = [await signedInCustomer(test), await signedInCustomer(test)]
await paidHost(test, buyer, 30 * 86_400_000)
const [paid] = (await asOwner(
  test,
  'select host_id, starts_at, ends_at from paid_periods where user_id = $1',
  [buyer.user_id],
)) as { host_id: bigint; starts_at: Date; ends_at: Date }[]
const period = must(paid)

const BEGIN = Date.parse('2026-09-01T00:00:00Z')
const LAST_SINCE = Date.parse('2027-05-01T00:00:00Z')
const DAY_ms = 86_400_000
const END = Date.parse('2028-07-01T00:00:00Z')
/** The clocks change by an hour in both directions, by half an hour, and never; one is off by three quarters. */
const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu']
const quarters = new Map(ZONES.map((zone) => [zone, quartersOf(zone, BEGIN - 2 * DAY_ms, END)]))

const clock = fc.integer({ min: 0, max: 96 }).map((quarter) => {
  const minutes = quarter * 15
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
})
const open = fc.oneof(
  fc.constant({ from: '00:00', to: '24:00' }),
  fc.constant({ from: '09:00', to: '17:00' }),
  fc.constant(null),
  fc
    .tuple(clock, clock)
    .filter(([one, other]) => one !== other)
    .map(([one, other]) => (one < other ? { from: one, to: other } : { from: other, to: one })),
)
const calendar = fc.record({
  zone: fc.constantFrom(...ZONES),
  hours: fc.array(open, { minLength: 7, maxLength: 7 }),
  holidays: fc
    .uniqueArray(fc.integer({ min: 0, max: 300 }), { maxLength: 30 })
    .map((days) =>
      days.map((day) => ({ day: new Date(BEGIN + day * 86_400_000).toISOString().slice(0, 10), name: '' })),
    ),
})
const target = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 2400 }) },
)
const targets = fc
  .array(fc.record({ first_minutes: target, next_minutes: target }), { minLength: 5, maxLength: 5 })
  .map((items) => items.map((item, place) => ({ ...item, priority: must(priorities[place]) })))
const some = targets.map((items) => items.filter((_, place) => place % 2 === 0))
const step = fc.record({
  what: fc.constantFrom('asks', 'asks', 'answers', 'closes', 'sorts', 'takes'),
  after_ms: fc.integer({ min: 1, max: 20 * 86_400_000 }),
  priority: fc.constantFrom(...priorities),
})
const history = fc.record({
  of: fc.constantFrom('plain', 'buyer', 'about a host'),
  begins_ms: fc.integer({ min: 0, max: LAST_SINCE - BEGIN }),
  priority: fc.constantFrom(...priorities),
  steps: fc.array(step, { maxLength: 5 }),
})
type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never
type Times = {
  calendar: typeof calendar extends fc.Arbitrary<infer Value> ? Value : never
  all: Target[]
  edition: Target[]
}
type Target = { priority: Priority; first_minutes: number | null; next_minutes: number | null }
type State = {
  id: bigint
  of: string
  at: number
  status: string
  waiting: number | null
  answered: number | null
  priority: Priority
}

/** The state after a step, as a simple reader of the rules sees it. */
function moved(state: State, { what, after_ms, priority }: History['steps'][number]): State {
  const at = Math.min(state.at + after_ms, LAST_SINCE)
  const next = { ...state, at }
  switch (what) {
    case 'asks': {
      return {
        ...next,
        status: state.status === 'opened' ? 'opened' : 'in-progress',
        waiting: state.waiting ?? at,
      }
    }
    case 'answers': {
      return { ...next, status: 'pending', waiting: null, answered: state.answered ?? at }
    }
    case 'closes': {
      return { ...next, status: 'closed', waiting: null }
    }
    case 'sorts': {
      return { ...next, priority }
    }
    default: {
      return state.status === 'opened' ? { ...next, status: 'in-progress' } : next
    }
  }
}

function expected(
  state: State,
  { calendar: one, all, edition }: Times,
  opened: ReadonlySet<number>,
): number | null {
  if (state.waiting === null || one.hours.every((day) => day === null)) return null
  const paidThen = +period.starts_at <= state.waiting && state.waiting < +period.ends_at
  const own = state.of !== 'plain' && paidThen ? edition : []
  const found = [...own, ...all].find(({ priority }) => priority === state.priority)
  const minutes = state.answered === null ? found?.first_minutes : found?.next_minutes
  return minutes === null || minutes === undefined
    ? null
    : openTimeAfter(must(quarters.get(one.zone)), opened, state.waiting, minutes)
}

async function setTimes({ calendar: body, all, edition }: Times) {
  const { version } = bodyOf(await admin.api.call(readAnswerTimes, {}), 200)
  const saved = bodyOf(await admin.api.call(changeAnswerCalendar, { body: { ...body, version } }), 200)
  const first = { edition: null, items: all, version: saved.version }
  const next = bodyOf(await admin.api.call(changeAnswerTargets, { body: first }), 200)
  const body2 = { edition: 'standard', items: edition, version: next.version }
  bodyOf(await admin.api.call(changeAnswerTargets, { body: body2 }), 200)
}

async function open500(histories: readonly History[]): Promise<State[]> {
  const rows = (await asOwner(
    test,
    `insert into tickets (public_id, user_id, host_id, subject, topic, priority, waiting_since)
     select lpad(place::text, 22, '0'), user_id, host_id, 'A question', 'technical', priority, since
     from unnest($1::uuid[], $2::bigint[], $3::text[], $4::timestamptz[]) with ordinality
       as t (user_id, host_id, priority, since, place) order by place returning id`,
    [
      histories.map(({ of }) => (of === 'plain' ? plain : buyer).user_id),
      histories.map(({ of }) => (of === 'about a host' ? period.host_id : null)),
      histories.map(({ priority }) => priority),
      histories.map(({ begins_ms }) => new Date(BEGIN + begins_ms)),
    ],
  )) as { id: bigint }[]
  return histories.map(({ of, begins_ms, priority }, place) => ({
    id: must(rows[place]).id,
    of,
    at: BEGIN + begins_ms,
    status: 'opened',
    waiting: BEGIN + begins_ms,
    answered: null,
    priority,
  }))
}

const timeOf = (ms: number | null) => (ms === null ? null : new Date(ms))

/** Writes the states as the product does: the columns that a step changes. */
async function write(states: readonly State[]) {
  await asOwner(
    test,
    `update tickets t set status = s.status, priority = s.priority, waiting_since = s.waiting,
       first_reply_at = s.answered, closed_at = case when s.status = 'closed' then now() end, assignee_id = $6::uuid
     from unnest($1::bigint[], $2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[])
       as s (id, status, priority, waiting, answered) where t.id = s.id`,
    [
      states.map(({ id }) => id),
      states.map(({ status }) => status),
      states.map(({ priority }) => priority),
      states.map(({ waiting }) => timeOf(waiting)),
      states.map(({ answered }) => timeOf(answered)),
      admin.user_id,
    ],
  )
}

async function dueTimes(): Promise<Map<bigint, number | null>> {
  const rows = (await asOwner(test, 'select id, due_at from tickets')) as {
    id: bigint
    due_at: Date | null
  }[]
  return new Map(rows.map(({ id, due_at }) => [id, due_at?.getTime() ?? null]))
}

async function compare(states: readonly State[], times: Times): Promise<(number | null)[]> {
  const opened = openQuarters(must(quarters.get(times.calendar.zone)), times.calendar)
  const found = await dueTimes()
  const wanted = states.map((state) => expected(state, times, opened))
  for (const [place, state] of states.entries())
    expect(found.get(state.id) ?? null, JSON.stringify({ ...state, id: String(state.id), times })).toBe(
      wanted[place],
    )
  return wanted
}

describe(`the expected answer and the place in the queue of ${ROUNDS * HISTORIES} random histories`, () => {
  it.each(Array.from({ length: ROUNDS }, (_, round) => round))(
    'are those of a simple model, over holidays and changes of the clocks: round %i',
    async (round) => {
      const times = fc.record({ calendar, all: targets, edition: some })
      const [before, after] = fc.sample(times, { numRuns: 2, seed: 1000 + round })
      const histories = fc.sample(history, { numRuns: HISTORIES, seed: 2000 + round })
      await asOwner(test, 'delete from tickets')
      await setTimes(must(before))
      let states = await open500(histories)
      await compare(states, must(before))
      for (let place = 0; place < 5; place += 1) {
        states = states.map((state, index) => {
          const next = histories[index]?.steps[place]
          return next ? moved(state, next) : state
        })
        await write(states)
        await compare(states, must(before))
      }
      await setTimes(must(after))
      await expectAllAnew(test.app)
      const due = await compare(states, must(after))
      for (const [place, state] of states.slice(0, 25).entries()) {
        const mine = due[place]
        if (mine === null || mine === undefined) continue
        const place_of = { due_at: new Date(mine), id: state.id }
        const earlier = states.filter((other, index) => {
          const theirs = due[index] ?? Infinity
          return theirs < mine || (theirs === mine && other.id < state.id)
        })
        expect(await countBefore(test.app.db, place_of)).toBe(Math.min(100, earlier.length))
      }
      expect(due.filter((one) => one !== null).length).toBeGreaterThan(20)
    },
    TIME_ms,
  )
})
