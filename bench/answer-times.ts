import { percentile, type Figure } from '#tools/figures/table.ts'
import { inParallel } from './in-parallel.ts'

export type Load = { at_once: number; requests: number }

/** How long an act takes, of ninety-five in a hundred. */
export async function answerTimes(
  name: string,
  { at_once, requests }: Load,
  act: (place: number) => Promise<unknown>,
): Promise<Figure> {
  // As for everybody who works all day: the statements are prepared, the caches are warm.
  await inParallel(at_once, at_once * 12, act)
  const times: number[] = []
  await inParallel(at_once, requests, async (place) => {
    const asked = performance.now()
    await act(place)
    times.push(performance.now() - asked)
  })
  return { name: `${name}, p95`, value: percentile(times, 95), unit: 'ms', note: `${at_once} at once` }
}
