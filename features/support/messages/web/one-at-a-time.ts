/** The same work, never twice at once: who asks for it while it is done waits for that. */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () =>
    (running ??= work().finally(() => {
      running = undefined
    }))
}
