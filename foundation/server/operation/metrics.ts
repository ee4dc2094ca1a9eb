import { Counter, Gauge, Histogram, collectDefaultMetrics, register, type Metric } from 'prom-client'

/**
 * Figures of this process in Prometheus' text format (version 0.0.4). One registry a process: a file that counts
 * something declares it at its top. Registering a name again replaces it.
 */
type Labels<Name extends string> = Record<Name, string>

/** Registers a metric that only grows. `name` ends in `_total`. */
export function counter<Name extends string = never>(
  name: string,
  help: string,
  labelNames: readonly Name[] = [],
): { add(labels?: Labels<Name>, by?: number): void } {
  const metric = anew(name, () => new Counter({ name, help, labelNames }))
  return { add: (labels, by = 1) => (labels ? metric.inc(labels, by) : metric.inc(by)) }
}

/** Registers a metric that is read at each scrape; it is left out if it cannot be read just now. */
export function gauge(name: string, help: string, read: () => number | Promise<number>): void {
  gauges(name, help, [], async () => [{ labels: {}, value: await read() }])
}

type Value<Name extends string> = { labels: Labels<Name>; value: number }

/** Registers a metric with labels, which is read at each scrape: a value that is not read this time is no longer shown. */
export function gauges<Name extends string>(
  name: string,
  help: string,
  labelNames: readonly Name[],
  read: () => Promise<readonly Value<Name>[]>,
): void {
  const collect = async (metric: Gauge) => {
    const values = await read().catch(() => [])
    metric.reset()
    if (labelNames.length === 0 && values.length === 0) metric.remove()
    for (const { labels, value } of values) metric.set(labels, value)
  }
  anew(
    name,
    () =>
      new Gauge({
        name,
        help,
        labelNames,
        async collect() {
          await collect(this)
        },
      }),
  )
}

/** Registers a metric of durations, in seconds; `buckets` are upper bounds. `name` ends in `_seconds`. */
export function histogram<Name extends string = never>(
  name: string,
  help: string,
  buckets: number[],
  labelNames: readonly Name[] = [],
): { observe(labels: Labels<Name>, seconds: number): void } {
  return anew(name, () => new Histogram({ name, help, buckets, labelNames }))
}

function anew<Kind extends Metric>(name: string, make: () => Kind): Kind {
  register.removeSingleMetric(name)
  return make()
}

let measuring = false

/** Memory, processor, event loop, garbage collection and open handles of this process, under their usual names. */
export function measureProcess(): void {
  if (!measuring) collectDefaultMetrics()
  measuring = true
}

/** Everything registered, as text. */
export const printMetrics = (): Promise<string> => register.metrics()
