let isFirst = false

/** True while the first page loads: waiting a moment for its data is better than rendering twice. */
export const isFirstPage = (): boolean => isFirst

/** Loads the first page by `load`. Never rejects: the page itself reports what failed. */
export async function loadFirstPage(load: () => Promise<unknown>): Promise<void> {
  isFirst = true
  await load().catch(() => {})
  isFirst = false
}

/** Waits for the data of a page, but at most `patience_ms`. */
export async function raceWithTimeout(
  data: Promise<unknown> | undefined,
  patience_ms = PATIENCE_ms,
): Promise<void> {
  const patience = new Promise<void>((resolve) => setTimeout(resolve, patience_ms))
  await Promise.race([data, patience])
}

const PATIENCE_ms = 200
