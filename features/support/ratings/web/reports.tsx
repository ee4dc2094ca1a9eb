import { useMemo } from 'react'
import type { SupportReport } from '#features/support/ratings/contract.ts'
import { topicText } from '#features/support/tickets/web/words.ts'
import { formatDay, formatShortDay } from '#foundation/web/i18n/format.ts'
import { formatNumber } from '#foundation/web/i18n/number.ts'
import { Card } from '#foundation/web/ui/card.tsx'
import { Plot } from '#foundation/web/ui/plot.tsx'
import { m } from '#texts/messages.js'
import { SumsCard } from './sums-card.tsx'

export function Reports({ report: { weeks, topics, people } }: { report: SupportReport }) {
  const drawn = useMemo(() => {
    const of = (value: (week: (typeof weeks)[number]) => number) => weeks.map(value)
    return {
      names: weeks.map(({ week }) => formatDay(week)),
      ticks: weeks.map(({ week }) => formatShortDay(week)),
      times: [
        {
          name: m.ratings_first_answer(),
          color: '--accent' as const,
          values: of((week) => hoursOf(week.first_answer_s)),
        },
        {
          name: m.ratings_resolution(),
          color: '--warning' as const,
          values: of((week) => hoursOf(week.resolution_s)),
        },
      ],
      backlog: [
        { name: m.ratings_open_at_end(), color: '--danger' as const, values: of((week) => week.open_at_end) },
        { name: m.ratings_opened(), color: '--accent' as const, values: of((week) => week.opened) },
        { name: m.ratings_closed(), color: '--success' as const, values: of((week) => week.closed) },
      ],
      ratings: [
        { name: m.ratings_good(), color: '--success' as const, values: of((week) => week.good) },
        { name: m.ratings_fair(), color: '--muted' as const, values: of((week) => week.fair) },
        { name: m.ratings_poor(), color: '--danger' as const, values: of((week) => week.poor) },
      ],
    }
  }, [weeks])
  const plot = {
    unit: m.ratings_week(),
    names: drawn.names,
    ticks: drawn.ticks,
    writeTick: formatNumber,
    write: formatNumber,
  }
  return (
    <>
      <Card title={m.ratings_times()}>
        <Plot {...plot} label={m.ratings_times()} series={drawn.times} look="lines" />
      </Card>
      <Card title={m.ratings_backlog()}>
        <Plot {...plot} label={m.ratings_backlog()} series={drawn.backlog} look="lines" />
      </Card>
      <Card title={m.ratings_ratings()}>
        <Plot {...plot} label={m.ratings_ratings()} series={drawn.ratings} look="bars" />
      </Card>
      <SumsCard
        title={m.ratings_by_week()}
        first={m.ratings_week()}
        rows={weeks.map((week) => ({ name: formatDay(week.week), ...week }))}
      />
      <SumsCard
        title={m.ratings_by_topic()}
        first={m.tickets_topic()}
        rows={topics.map((row) => ({ name: topicText(row.topic), ...row }))}
      />
      <SumsCard
        title={m.ratings_by_person()}
        first={m.ratings_person()}
        rows={people.map((row) => ({ name: row.person?.name ?? m.ratings_nobody(), ...row }))}
      />
    </>
  )
}

const hoursOf = (seconds: number | null): number => (seconds === null ? 0 : Math.round(seconds / 360) / 10)
