import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { getMetrics, type Metrics } from '#features/hosts/contract.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { currentLocale } from '#foundation/web/i18n/locale.ts'
import { Card } from '#foundation/web/ui/card.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { Segments } from '#foundation/web/ui/segments.tsx'
import { m } from '#texts/messages.js'
import { Chart } from './chart.tsx'
import { FiguresTable } from './figures-table.tsx'
import { percentOf, rangeOf, type FigureOf } from './series.ts'

const ranges = ['24', '168', '720'] as const

/** Load, memory and disk of a day, a week or a month, kept up to date. */
export function Charts({ hostId }: { hostId: string }) {
  const [hours, setHours] = useState<(typeof ranges)[number]>('24')
  const query = useQuery({
    ...queryFor(getMetrics, { params: { hostId }, query: { hours } }),
    refetchInterval: EVERY_ms,
    placeholderData: keepPreviousData,
  })
  return (
    <Card
      title={m.hosts_usage()}
      actions={
        <Segments
          name="range"
          label={m.hosts_range()}
          isLabelHidden
          options={ranges.map((value) => ({ value, text: RANGES[value]() }))}
          chosen={hours}
          onChoose={setHours}
        />
      }
    >
      <Loaded query={query} failed={m.hosts_metrics_failed()} waiting="h-96">
        {(data) => <MetricCharts metrics={data} isDay={hours === '24'} />}
      </Loaded>
    </Card>
  )
}

const EVERY_ms = 60_000
const RANGES = {
  24: () => m.hosts_range_day(),
  168: () => m.hosts_range_week(),
  720: () => m.hosts_range_month(),
} as const

function MetricCharts({ metrics, isDay }: { metrics: Metrics; isDay: boolean }) {
  const { times, figures } = useMemo(() => figuresOf(metrics), [metrics])
  return (
    <div className="grid gap-x-8 gap-y-6 md:grid-cols-2">
      {figures.map((figure) => (
        <Figure key={figure.name()} {...figure} times={times} isDay={isDay} />
      ))}
      <div className="min-w-0 md:col-span-2">
        <FiguresTable times={times} figures={figures} />
      </div>
    </div>
  )
}

const figuresOf = (metrics: Metrics): { times: number[]; figures: FigureOf[] } => ({
  times: metrics.times.map((time) => Date.parse(time) / 1000),
  figures: [
    { name: () => m.hosts_load(), values: metrics.load_1m, write: load, wide: true },
    {
      name: () => m.hosts_memory(),
      values: percentOf(metrics.memory_used_bytes, metrics.memory_total_bytes),
      most: 100,
      write: percent,
    },
    {
      name: () => m.hosts_disk(),
      values: percentOf(metrics.disk_used_bytes, metrics.disk_total_bytes),
      most: 100,
      write: percent,
    },
  ],
})

type FigureProps = FigureOf & { times: readonly number[]; isDay: boolean }

/** A chart with its figures in words, also for screen readers. While the cursor is on the chart, the value there replaces the words. */
function Figure({ name, times, values, most, write, wide, isDay }: FigureProps) {
  const [at, setAt] = useState<number>()
  const range = rangeOf(values)
  const words = range
    ? m.hosts_figures({ last: write(range.last), least: write(range.least), most: write(range.most) })
    : m.hosts_no_figures()
  const value = at === undefined ? undefined : values[at]
  return (
    <figure className={wide ? 'min-w-0 md:col-span-2' : 'min-w-0'}>
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-3 text-sm">
        <span className="font-medium">{name()}</span>
        <span data-readout className="text-xs text-muted">
          {at !== undefined && value !== undefined
            ? `${formatDateTime((times[at] ?? 0) * 1000)} · ${value === null ? '–' : write(value)}`
            : words}
        </span>
      </figcaption>
      <Chart
        label={`${name()}: ${words}`}
        times={times}
        values={values}
        most={most}
        write={write}
        isDay={isDay}
        onPoint={setAt}
      />
    </figure>
  )
}

const load = (value: number): string =>
  new Intl.NumberFormat(currentLocale(), { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(value)

const percent = (value: number): string =>
  new Intl.NumberFormat(currentLocale(), { style: 'percent', maximumFractionDigits: 0 }).format(value / 100)
