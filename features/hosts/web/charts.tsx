import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Alert } from '#features/hosts/alert-contract.ts'
import { getMetrics, type Metrics } from '#features/hosts/contract.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { currentLocale } from '#foundation/web/i18n/locale.ts'
import { Card } from '#foundation/web/ui/card.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { Segments } from '#foundation/web/ui/segments.tsx'
import { m } from '#texts/messages.js'
import { useHostAlerts } from './alert-hooks.ts'
import { Chart } from './chart.tsx'
import { FiguresTable } from './figures-table.tsx'
import { percentOf, rangeOf, type FigureOf, type Series } from './series.ts'

const ranges = ['24', '168', '720'] as const

/** Load, memory and disks of a day, a week or a month, kept up to date. */
export function Charts({ hostId }: { hostId: string }) {
  const [hours, setHours] = useState<(typeof ranges)[number]>('24')
  const query = useQuery({
    ...queryFor(getMetrics, { params: { hostId }, query: { hours } }),
    refetchInterval: EVERY_ms,
    placeholderData: keepPreviousData,
  })
  const alerts = useHostAlerts(hostId)
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
        {(data) => <MetricCharts metrics={data} alerts={alerts.data?.items ?? NONE} isDay={hours === '24'} />}
      </Loaded>
    </Card>
  )
}

const NONE: readonly Alert[] = []
const EVERY_ms = 60_000
const RANGES = {
  24: () => m.hosts_range_day(),
  168: () => m.hosts_range_week(),
  720: () => m.hosts_range_month(),
} as const

type Shown = { metrics: Metrics; alerts: readonly Alert[]; isDay: boolean }

function MetricCharts({ metrics, alerts, isDay }: Shown) {
  const { times, figures } = useMemo(() => figuresOf(metrics, alerts), [metrics, alerts])
  const isTinted = figures.some(({ spans }) => spans.length > 0)
  return (
    <div className="grid gap-x-8 gap-y-6 md:grid-cols-2">
      {figures.map((figure) => (
        <Figure key={figure.name()} {...figure} times={times} isDay={isDay} />
      ))}
      <div className="min-w-0 md:col-span-2">
        {isTinted ? <p className="mb-3 text-sm text-muted">{m.hosts_chart_alerts()}</p> : null}
        <FiguresTable times={times} figures={figures} />
      </div>
    </div>
  )
}

/** A silent server is tinted in each chart, a full disk in its own. An alert whose disk is not known belongs to `/`. */
function figuresOf(metrics: Metrics, alerts: readonly Alert[]): { times: number[]; figures: FigureOf[] } {
  const times = metrics.times.map((time) => Date.parse(time) / 1000)
  const all = spansIn(times, alerts)
  const offline = all.filter(({ kind }) => kind === 'offline')
  const ofDisk = (mount: string) => all.filter((span) => span.kind === 'offline' || span.mount === mount)
  const disk = (name: () => string, mount: string, used: Series, total: Series): FigureOf => {
    return { name, values: percentOf(used, total), spans: ofDisk(mount), most: 100, write: percent }
  }
  return {
    times,
    figures: [
      { name: () => m.hosts_load(), values: metrics.load_1m, spans: offline, write: load, wide: true },
      {
        name: () => m.hosts_memory(),
        values: percentOf(metrics.memory_used_bytes, metrics.memory_total_bytes),
        spans: offline,
        most: 100,
        write: percent,
      },
      disk(() => m.hosts_disk(), '/', metrics.disk_used_bytes, metrics.disk_total_bytes),
      ...metrics.disks.map(({ mount, used_bytes, total_bytes }) =>
        disk(() => m.hosts_disk_at({ mount }), mount, used_bytes, total_bytes),
      ),
    ],
  }
}

/** The alerts that reach into the times of a chart, open ones up to its end. */
function spansIn(times: readonly number[], alerts: readonly Alert[]) {
  const [first, last] = [times[0] ?? 0, times.at(-1) ?? 0]
  const seconds = (time: string) => Date.parse(time) / 1000
  return alerts
    .map(({ kind, mount, since, closed_at }) => ({
      kind,
      mount: mount === null || mount === '' ? '/' : mount,
      from: seconds(since),
      to: closed_at ? seconds(closed_at) : last,
    }))
    .filter(({ from, to }) => to >= first && from <= last)
}

type FigureProps = FigureOf & { times: readonly number[]; isDay: boolean }

/** A chart with its figures in words, also for screen readers. While the cursor is on the chart, the value there replaces the words. */
function Figure({ name, times, values, spans, most, write, wide, isDay }: FigureProps) {
  const [at, setAt] = useState<number>()
  const range = rangeOf(values)
  const words = range
    ? m.hosts_figures({ last: write(range.last), least: write(range.least), most: write(range.most) })
    : m.hosts_no_figures()
  const value = at === undefined ? undefined : values[at]
  return (
    <figure className={wide ? 'min-w-0 md:col-span-2' : 'min-w-0'}>
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-3 pr-1 text-sm">
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
        spans={spans}
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
