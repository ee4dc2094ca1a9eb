import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { readAnswerTimes, type AnswerTimes } from '#features/support/answers/contract.ts'
import { hoursText } from '#features/support/answers/rules.ts'
import { paths } from '#features/paths.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { formatDay } from '#foundation/web/i18n/format.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { useTitle } from '#foundation/web/title.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { Facts } from '#foundation/web/ui/facts.tsx'
import { LoadedPage } from '#foundation/web/ui/loaded.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { m } from '#texts/messages.js'
import { AnswerTargetsCard } from './answer-targets.tsx'
import { EditCalendar } from './edit-calendar.tsx'
import { weekdays } from './weekdays.ts'

/** When answers are expected: the hours of the desk, and within how many of them it answers. */
export function AnswerTimesPage() {
  useTitle(m.answers_title())
  const query = useQuery(queryFor(readAnswerTimes))
  return (
    <LoadedPage query={query} title={m.answers_title()} failed={m.answers_failed()} waiting="h-96">
      {(times) => (
        <Page title={m.answers_title()} description={m.answers_text()}>
          <TextLink to={paths.desk()}>{m.answers_to_tickets()}</TextLink>
          {times.hours.every((day) => day === null) ? <Alert>{m.answers_nothing_promised()}</Alert> : null}
          <CalendarCard times={times} />
          <AnswerTargetsCard times={times} />
        </Page>
      )}
    </LoadedPage>
  )
}

function CalendarCard({ times }: { times: AnswerTimes }) {
  const [editing, setEditing] = useState(false)
  const names = weekdays()
  const holidays = times.holidays.map(({ day, name }) => (
    <div key={day}>{[formatDay(day), name].filter(Boolean).join(' · ')}</div>
  ))
  return (
    <Card
      title={m.answers_calendar()}
      description={m.answers_calendar_text()}
      actions={
        times.may_change ? (
          <Button onClick={() => setEditing(true)}>{m.answers_edit_calendar()}</Button>
        ) : undefined
      }
    >
      <Facts
        facts={[
          { name: m.answers_zone(), value: times.zone },
          ...times.hours.map((open, place) => ({
            name: names[place] ?? '',
            value: hoursText(open) || m.answers_closed(),
          })),
          { name: m.answers_holidays(), value: holidays.length > 0 ? holidays : m.answers_no_holidays() },
        ]}
      />
      {editing ? <EditCalendar times={times} onClose={() => setEditing(false)} /> : null}
    </Card>
  )
}
