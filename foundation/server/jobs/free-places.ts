import { classes, places, type JobClass } from './classes.ts'
import type { TakenJob } from './queries.ts'

/** Returns the classes with a free place, and the names of the jobs that already have all the places that one kind may take. */
export function freePlaces(running: readonly TakenJob[]): { classes: JobClass[]; fullNames: Set<string> } {
  const free = { ...places }
  const left = new Map<string, number>()
  for (const job of running) {
    free[job.class] -= 1
    left.set(job.name, (left.get(job.name) ?? places[job.class] - 1) - 1)
  }
  const full = [...left].filter(([, count]) => count <= 0)
  // A heavy job does not begin while jobs of several kinds fill all places of another class: it would take the processor from them.
  const isCrowded = classes.some((one) => one !== 'heavy' && free[one] <= 0)
  return {
    classes: classes.filter((one) => free[one] > 0 && !(one === 'heavy' && isCrowded)),
    fullNames: new Set(full.map(([name]) => name)),
  }
}
