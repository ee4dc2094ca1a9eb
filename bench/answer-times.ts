import { percentile, type Figure } from '#tools/figures/table.ts'
import { inParallel } from './in-parallel.ts'

export type Load = { at_once: number; requests: number }

/**
 * Makes 2,000 calls without measuring them: a product that has just started compiles its frequent code during some thousand calls, and
 * the list that is measured first would be slower for it.
 */
export const warmUp = (act: (place: number) => Promise<unknown>): Promise<void> => inParallel(20, 2_000, act)

/** Measures the time in ms within which 95 of 100 acts are done. */
export async function answerTimes(
  name: string,
  { at_once, requests }: Load,
  act: (place: number) => Promise<unknown>,
): Promise<Figure> {
  // A first round prepares the statements and warms the caches, as for people who work all day: PostgreSQL keeps the plan of a statement
  // from its sixth execution on a connection on, and one search has three statements.
  await inParallel(at_once, at_once * 40, act)
  const times: number[] = []
  await inParallel(at_once, requests, async (place) => {
    const asked = performance.now()
    await act(place)
    times.push(performance.now() - asked)
  })
  const value = percentile(times, 95)
  // The figure is printed at once, so that a run that breaks off has reported it.
  process.stderr.write(`bench: ${name}, p95 ${value.toFixed(0)} ms\n`)
  return { name: `${name}, p95`, value, unit: 'ms', note: `${at_once} at once` }
}
