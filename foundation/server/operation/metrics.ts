/**
 * Figures of this process in Prometheus' text format (version 0.0.4). One registry a process: whoever measures
 * something names it at the top of his file and counts. Registering a name again replaces it.
 */
type Labels = Record<string, string>
type Metric = {
  help: string
  kind: 'counter' | 'gauge' | 'histogram'
  lines(name: string): string[] | Promise<string[]>
}

const registry = new Map<string, Metric>()

/** Counts up. `name` ends in `_total`. */
export function counter(name: string, help: string): { add(labels?: Labels, by?: number): void } {
  const values = new Map<string, number>()
  registry.set(name, {
    help,
    kind: 'counter',
    lines: (name) => [...values].map(([key, value]) => `${name}${key} ${value}`),
  })
  return {
    add(labels = {}, by = 1) {
      const key = braces(labels)
      values.set(key, (values.get(key) ?? 0) + by)
    },
  }
}

/** Read when asked for; a figure that cannot be had just now is left out. */
export function gauge(name: string, help: string, read: () => number | Promise<number>): void {
  registry.set(name, {
    help,
    kind: 'gauge',
    lines: async (name) => {
      try {
        return [`${name} ${await read()}`]
      } catch {
        return []
      }
    },
  })
}

/** How long things took, in seconds, by the upper bounds of its buckets. `name` ends in `_seconds`. */
export function histogram(
  name: string,
  help: string,
  bounds: number[],
): { observe(labels: Labels, seconds: number): void } {
  const series = new Map<string, { labels: Labels; counts: number[]; count: number; sum: number }>()
  registry.set(name, {
    help,
    kind: 'histogram',
    lines: (name) =>
      [...series.values()].flatMap(({ labels, counts, count, sum }) => [
        ...bounds.map(
          (bound, index) => `${name}_bucket${braces({ ...labels, le: String(bound) })} ${counts[index] ?? 0}`,
        ),
        `${name}_bucket${braces({ ...labels, le: '+Inf' })} ${count}`,
        `${name}_sum${braces(labels)} ${sum}`,
        `${name}_count${braces(labels)} ${count}`,
      ]),
  })
  return {
    observe(labels, seconds) {
      const key = braces(labels)
      let one = series.get(key)
      if (!one) series.set(key, (one = { labels, counts: bounds.map(() => 0), count: 0, sum: 0 }))
      bounds.forEach((bound, index) => {
        if (seconds <= bound) one.counts[index] = (one.counts[index] ?? 0) + 1
      })
      one.count += 1
      one.sum += seconds
    },
  }
}

/** Everything registered, as text. */
export async function printMetrics(): Promise<string> {
  const parts = await Promise.all(
    [...registry].map(async ([name, metric]) =>
      [`# HELP ${name} ${metric.help}`, `# TYPE ${name} ${metric.kind}`, ...(await metric.lines(name))].join(
        '\n',
      ),
    ),
  )
  return `${parts.join('\n')}\n`
}

function braces(labels: Labels): string {
  const parts = Object.entries(labels).map(
    ([name, value]) =>
      `${name}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`,
  )
  return parts.length ? `{${parts.join(',')}}` : ''
}
