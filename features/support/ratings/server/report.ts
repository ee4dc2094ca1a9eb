import { handler } from '#foundation/server/http/handler.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import * as contract from '#features/support/ratings/contract.ts'
import * as queries from './report-queries.ts'
import type { Sums } from './report-queries.ts'

const DAY_ms = 86_400_000

export const readSupportReport = handler(contract.readSupportReport, async ({ app, query }) => {
  const weeks = mondays(query.weeks, app.config.timeZone)
  const period = { first: weeks[0] ?? '', zone: app.config.timeZone }
  const [byWeek, topics, byPerson, before] = await Promise.all([
    queries.sumsByWeek(app.db, period),
    queries.sumsByTopic(app.db, period),
    queries.sumsByPerson(app.db, period),
    queries.openBefore(app.db, period),
  ])
  const names = await displayNames(
    app,
    app.db,
    byPerson.map(({ assignee_id }) => assignee_id),
  )
  let open_at_end = before
  return {
    status: 200,
    body: {
      weeks: weeks.map((week) => {
        const sums = byWeek.find((row) => row.week === week) ?? { week, ...NOTHING }
        open_at_end += sums.opened - sums.closed
        return { ...sums, open_at_end }
      }),
      topics,
      people: byPerson.map(({ assignee_id, ...sums }) => ({
        person: assignee_id === null ? null : names.of(assignee_id),
        ...sums,
      })),
    },
  }
})

const NOTHING: Sums = {
  opened: 0,
  closed: 0,
  first_answer_s: null,
  resolution_s: null,
  good: 0,
  fair: 0,
  poor: 0,
}

/** The Mondays of the last weeks with the present one, in the time zone. */
function mondays(count: number, timeZone: string, now = new Date()): string[] {
  const today = Date.parse(new Intl.DateTimeFormat('sv', { timeZone }).format(now))
  const monday = today - ((new Date(today).getUTCDay() + 6) % 7) * DAY_ms
  return Array.from({ length: count }, (_, place) =>
    new Date(monday - (count - 1 - place) * 7 * DAY_ms).toISOString().slice(0, 10),
  )
}
