import type { App } from '#foundation/server/app.ts'
import { gauges } from './metrics.ts'
import { claimReading, keepFigures, lastFigures, type FigureValue } from './queries.ts'

export type { FigureValue } from './queries.ts'

/** Figures about the whole installation, read from the database. Features export theirs from server/figures.ts. */
export type Figures = {
  /** The metrics by name; `label` names the label by which a metric's values differ. */
  metrics: Readonly<Record<string, { help: string; label?: string }>>
  read(db: App['db']): Promise<readonly FigureValue[]>
}

/**
 * Shows the figures in `/metrics`. However many processes are asked, one of them reads the figures, at most every 10 s, and
 * the others show what it read. Figures older than a minute are left out: an alert on their absence is better than old ones.
 */
export function showFigures(app: App, all: readonly Figures[]): void {
  let asked: { at_ms: number; values: Promise<readonly FigureValue[]> } | undefined
  // All metrics of one scrape are collected at once.
  const once = () => {
    if (!asked || performance.now() - asked.at_ms > SCRAPE_MS)
      asked = { at_ms: performance.now(), values: readFigures(app, all) }
    return asked.values
  }
  for (const { metrics } of all)
    for (const [name, { help, label }] of Object.entries(metrics))
      gauges(name, help, label ? [label] : [], async () =>
        (await once())
          .filter(({ metric }) => metric === name)
          .map((found) => ({ labels: label ? { [label]: found.label ?? '' } : {}, value: found.value })),
      )
}

const SCRAPE_MS = 500
const FRESH_S = 10
const OLDEST_S = 60

/**
 * Returns the figures that were read last, or reads them now if those are too old. While another process reads them, returns the last ones,
 * or [] if they are over a minute old.
 */
export async function readFigures(
  app: Pick<App, 'db' | 'log'>,
  all: readonly Figures[],
  fresh_s: number = FRESH_S,
): Promise<readonly FigureValue[]> {
  const last = await lastFigures(app.db)
  if (last && last.age_s >= 0 && last.age_s < fresh_s) return last.values
  if (!(await claimReading(app.db, fresh_s))) return last && last.age_s < OLDEST_S ? last.values : []
  const values: FigureValue[] = []
  for (const { metrics, read } of all) {
    try {
      values.push(...(await read(app.db)))
    } catch (error) {
      app.log.debug({ err: error, metrics: Object.keys(metrics) }, 'metrics: figures that cannot be read now')
    }
  }
  await keepFigures(app.db, values)
  return values
}
