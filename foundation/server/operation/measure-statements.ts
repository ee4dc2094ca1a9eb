import type { Log } from '#foundation/server/log.ts'
import { counter, histogram } from './metrics.ts'
import { beginSpan } from './tracing.ts'

const durations = histogram(
  'hostdesk_database_statement_duration_seconds',
  'Time from sending a statement to its last row.',
  [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
)
const failures = counter(
  'hostdesk_database_statements_failed_total',
  'Statements that PostgreSQL did not answer well.',
)

export type SlowStatements = { log: Log; slow_ms: number }

/**
 * Times a statement, from now until the function that it returns is called. One that took longer than the operator wants
 * to wait is logged with its text, never with its values: those are customers' rows.
 */
export function measureStatement(text: string, slow: SlowStatements | undefined): (error?: unknown) => void {
  const began = performance.now()
  const span = beginSpan(
    () => firstWord(text),
    () => ({ 'db.system.name': 'postgresql', 'db.query.text': text }),
  )
  return (error) => {
    const took_ms = performance.now() - began
    durations.observe({}, took_ms / 1000)
    if (error !== undefined) failures.add()
    span?.end(error)
    if (slow && took_ms >= slow.slow_ms)
      slow.log.warn(
        { statement: text.replaceAll(/\s+/g, ' ').trim().slice(0, 2000), took_ms: Math.round(took_ms) },
        'slow statement',
      )
  }
}

const firstWord = (text: string): string => /[a-z]+/i.exec(text)?.[0].toUpperCase() ?? 'SQL'
