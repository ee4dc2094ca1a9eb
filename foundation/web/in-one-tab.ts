/**
 * Runs `work` in one tab of this browser at a time, as others with its name end. Browsers without locks (plain HTTP on a foreign host name)
 * or that refuse them, as they refuse storage (rule 56), know no other tab: there it waits for that of this tab alone. Rejects as `work`
 * does, and where `signal` ends the wait.
 */
export async function inOneTab<Result>(
  name: string,
  work: () => Promise<Result>,
  options: { signal?: AbortSignal } = {},
): Promise<Result> {
  const state = { hasBegun: false }
  const begin = () => {
    state.hasBegun = true
    return work()
  }
  try {
    if ('locks' in navigator) return await navigator.locks.request(name, options, begin)
  } catch (error) {
    if (state.hasBegun || options.signal?.aborted) throw error
  }
  const mine = (queues.get(name) ?? Promise.resolve()).then(work)
  queues.set(
    name,
    mine.catch(() => {}),
  )
  return mine
}

const queues = new Map<string, Promise<unknown>>()
