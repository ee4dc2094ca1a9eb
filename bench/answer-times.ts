import { percentile, type Figure } from '#tools/figures/table.ts'
import { inParallel } from './in-parallel.ts'

export type Load = { at_once: number; requests: number }

/**
 * A product that was started a moment ago still compiles what it runs often, for some thousand calls: the list that is measured first would pay
 * for all. Asks without measuring until that is over.
 */
export const warmUp = (act: (place: number) => Promise<unknown>): Promise<void> => inParallel(20, 2_000, act)

/** How long an act takes, of ninety-five in a hundred. */
export async function answerTimes(
  name: string,
  { at_once, requests }: Load,
  act: (place: number) => Promise<unknown>,
): Promise<Figure> {
  // A first round prepares the statements and warms the caches, as for everybody who works all day: each connection keeps a plan from its
  // sixth time on, and one search has three statements.
  await inParallel(at_once, at_once * 40, act)
  const times: number[] = []
  await inParallel(at_once, requests, async (place) => {
    const asked = performance.now()
    await act(place)
    times.push(performance.now() - asked)
  })
  const value = percentile(times, 95)
  // As soon as it is known: a run that breaks off has said what it measured.
  process.stderr.write(`bench: ${name}, p95 ${value.toFixed(0)} ms\n`)
  return { name: `${name}, p95`, value, unit: 'ms', note: `${at_once} at once` }
}
