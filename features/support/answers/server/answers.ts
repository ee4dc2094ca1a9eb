import type { App } from '#foundation/server/app.ts'
import { mayDo } from '#foundation/roles.ts'
import type { Actor } from '#foundation/server/session/session.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { lockByName, transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { enqueue } from '#foundation/server/jobs/jobs.ts'
import { changedTo } from '#foundation/versions.ts'
import { allEditions } from '#features/licences/server/licences.ts'
import { expectAnew } from '#features/support/tickets/server/tickets.ts'
import * as contract from '#features/support/answers/contract.ts'
import * as queries from './queries.ts'

export const EXPECT_ANEW = jobKind('expect_answers_anew', 'rest')

export const readAnswerTimes = handler(contract.readAnswerTimes, async ({ app, actor }) => {
  return { status: 200, body: await answerTimes(app.db, actor) }
})

export const changeAnswerCalendar = handler(
  contract.changeAnswerCalendar,
  async ({ app, actor, caller, body }) => {
    const { version, zone, hours, holidays } = body
    if (zone !== undefined && !(await queries.isZone(app.db, zone)))
      throw badRequest('unknown_time_zone', 'zone')
    return edit(app, actor, version, async (tx, before) => {
      await queries.writeCalendar(tx, {
        zone: zone ?? before.zone,
        hours: hours ?? before.hours,
        holidays: holidays ? namesByDay(holidays) : before.holidays,
      })
      const detail = { by: actor.user_id }
      await recordAction(tx, { user_id: null, act: 'answers.calendar_changed', ...originOf(caller), detail })
    })
  },
)

export const changeAnswerTargets = handler(
  contract.changeAnswerTargets,
  async ({ app, actor, caller, body }) => {
    const { version, edition, items } = body
    const known = await allEditions(app.db)
    if (edition !== null && !known.some(({ slug }) => slug === edition))
      throw badRequest('unknown_edition', 'edition')
    const once = new Map(items.map((item) => [item.priority, item]))
    return edit(app, actor, version, async (tx, before) => {
      await queries.writeTargets(tx, edition, [...once.values()])
      await queries.writeCalendar(tx, before)
      const detail = { by: actor.user_id, ...(edition === null ? {} : { edition }) }
      await recordAction(tx, { user_id: null, act: 'answers.targets_changed', ...originOf(caller), detail })
    })
  },
)

/**
 * Does an edit, and has the times of all waiting tickets computed anew. The lock is that of the trigger `expect_answer`: a ticket that is
 * written meanwhile either is committed before, and is found by the job, or waits and reads what is new.
 */
function edit(
  app: App,
  actor: Actor,
  version: number,
  write: (tx: Tx, before: queries.Calendar) => Promise<void>,
) {
  return transaction(app, 'system', async (tx) => {
    await lockByName(tx, 'answer_calendar')
    const before = await queries.calendarOf(tx)
    if (before.version !== version) return changedTo(await answerTimes(tx, actor))
    await write(tx, before)
    enqueue(tx, EXPECT_ANEW, {}, { key: EXPECT_ANEW.name })
    return { status: 200, body: await answerTimes(tx, actor) } as const
  })
}

/** Computes the times of all waiting tickets anew, few at once, so that nobody who answers one waits for long. */
export async function expectAllAnew(app: App): Promise<void> {
  for (let last: bigint | undefined = 0n; last !== undefined;) {
    const after: bigint = last
    last = await transaction(app, 'system', (tx) => expectAnew(tx, after, AT_ONCE))
  }
}

const AT_ONCE = 200

const namesByDay = (holidays: readonly { day: string; name: string }[]) =>
  Object.fromEntries(holidays.map(({ day, name }) => [day, name]))

async function answerTimes(db: App['db'], actor: Actor): Promise<contract.AnswerTimes> {
  const calendar = await queries.calendarOf(db)
  const rows = await queries.targetsOf(db)
  const editions = await allEditions(db)
  const named = [...new Set([null, ...rows.map(({ edition }) => edition)])]
  return {
    zone: calendar.zone,
    hours: calendar.hours,
    holidays: Object.entries(calendar.holidays)
      .map(([day, name]) => ({ day, name }))
      .toSorted((one, other) => (one.day < other.day ? -1 : 1)),
    targets: named.map((edition) => ({
      edition,
      items: rows
        .filter((row) => row.edition === edition)
        .map(({ priority, first_minutes, next_minutes }) => ({ priority, first_minutes, next_minutes })),
    })),
    editions: editions.map(({ slug, name }) => ({ slug, name })),
    may_change: mayDo(actor.staff_roles, contract.editTimesPermission),
    version: calendar.version,
  }
}
