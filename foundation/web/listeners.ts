/** A set of functions that are called when a value outside of React changes. */
type Listeners<Args extends unknown[]> = {
  /** Calls `listener` on each change. Returns the function to unsubscribe. */
  add: (listener: (...args: Args) => void) => () => void
  notify: (...args: Args) => void
}

export function listenersOf<Args extends unknown[] = []>(): Listeners<Args> {
  const all = new Set<(...args: Args) => void>()
  return {
    add(listener) {
      all.add(listener)
      return () => void all.delete(listener)
    },
    notify(...args) {
      for (const listener of all) listener(...args)
    },
  }
}
