import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { paths } from '#features/paths.ts'
import { readSupportReport } from '#features/support/ratings/contract.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { useTitle } from '#foundation/web/title.ts'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { Skeleton } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'
import { LatestRatings } from './latest-ratings.tsx'
import { Reports } from './reports.tsx'

/** First answer, resolution, backlog and ratings of the last weeks: plots, with a table and a file of all values. */
export function SupportReportPage() {
  const [weeks, setWeeks] = useState('12')
  const query = useQuery(queryFor(readSupportReport, { query: { weeks } }))
  useTitle(m.ratings_title())
  return (
    <Page title={m.ratings_title()} description={m.ratings_title_text()}>
      <div className="flex flex-wrap items-end justify-between gap-4">
        <TextLink to={paths.desk()}>{m.ratings_to_tickets()}</TextLink>
        <div className="w-48">
          <SelectField
            name="weeks"
            label={m.ratings_period()}
            value={weeks}
            options={['4', '12', '26', '52'].map((value) => ({
              value,
              label: m.ratings_weeks({ count: value }),
            }))}
            onChange={(event) => setWeeks(event.target.value)}
          />
        </div>
      </div>
      <Loaded query={query} failed={m.ratings_failed()} waiting={<Skeleton className="h-96" />}>
        {(report) => <Reports report={report} />}
      </Loaded>
      <LatestRatings />
    </Page>
  )
}
