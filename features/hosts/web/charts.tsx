import { useQuery } from '@tanstack/react-query'
import { getMetrics, type Metrics } from '#features/hosts/contract.ts'
import { reading } from '#foundation/web/api/query.ts'
import { currentLocale } from '#foundation/web/i18n/locale.ts'
import { ErrorState } from '#foundation/web/ui/error-state.tsx'
import { Loading, Skeleton } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'
import { Chart } from './chart.tsx'
import { percentOf, rangeOf, type Series } from './series.ts'

/** Load, memory and disk of the last 24 hours, kept up to date. */
export function Charts({ hostId }: { hostId: string }) {
  const { data, error, refetch } = useQuery({
    ...reading(getMetrics, { params: { hostId }, query: { hours: '24' } }),
    refetchInterval: EVERY_ms,
  })
  if (data) return <Day metrics={data} />
  if (error) {
    return <ErrorState title={m.hosts_metrics_failed()} error={error} onRetry={() => void refetch()} />
  }
  return (
    <Loading>
      <Skeleton className="h-96" />
    </Loading>
  )
}

const EVERY_ms = 60_000

function Day({ metrics }: { metrics: Metrics }) {
  const times = metrics.times.map((time) => Date.parse(time) / 1000)
  return (
    <div className="flex flex-col gap-5">
      <h3 className="text-sm font-medium">{m.hosts_last_day()}</h3>
      <Figure name={m.hosts_load()} times={times} values={metrics.load_1m} write={load} />
      <Figure
        name={m.hosts_memory()}
        times={times}
        values={percentOf(metrics.memory_used_bytes, metrics.memory_total_bytes)}
        most={100}
        write={percent}
      />
      <Figure
        name={m.hosts_disk()}
        times={times}
        values={percentOf(metrics.disk_used_bytes, metrics.disk_total_bytes)}
        most={100}
        write={percent}
      />
    </div>
  )
}

type FigureProps = {
  name: string
  times: readonly number[]
  values: Series
  /** The top of the scale, where it does not follow the values. */
  most?: number
  write: (value: number) => string
}

/** A chart with its figures in words: what the eye sees in the line, a reader hears. */
function Figure({ name, times, values, most, write }: FigureProps) {
  const range = rangeOf(values)
  const words = range
    ? m.hosts_figures({ last: write(range.last), least: write(range.least), most: write(range.most) })
    : m.hosts_no_figures()
  return (
    <figure>
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-3 text-sm">
        <span>{name}</span>
        <span className="text-xs text-muted tabular-nums">{words}</span>
      </figcaption>
      <Chart label={`${name}: ${words}`} times={times} values={values} most={most} write={write} />
    </figure>
  )
}

const load = (value: number): string =>
  new Intl.NumberFormat(currentLocale(), { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(value)

const percent = (value: number): string =>
  new Intl.NumberFormat(currentLocale(), { style: 'percent', maximumFractionDigits: 0 }).format(value / 100)
