import { isRelease, root } from '#foundation/server/release.ts'

/** Builds the pages and texts of a checkout if its files have changed; `say` gets progress lines. A release comes with them built. */
export async function bringPagesUpToDate(say: (line: string) => void): Promise<void> {
  if (isRelease) return
  const { buildIfStale } = await import('#tools/build.ts')
  await buildIfStale(root, say)
}

/** Builds the texts alone, for programs that serve no pages. */
export async function bringTextsUpToDate(): Promise<void> {
  if (isRelease) return
  const { buildTexts } = await import('#tools/build.ts')
  await buildTexts(root)
}
