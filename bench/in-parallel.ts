/** Calls `work` with each number from 0 to `count` - 1, at most `at_once` calls at a time. */
export async function inParallel(
  at_once: number,
  count: number,
  work: (place: number) => Promise<unknown>,
): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: at_once }, async () => {
      while (next < count) await work(next++)
    }),
  )
}
