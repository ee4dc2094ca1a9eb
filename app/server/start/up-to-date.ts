import { isRelease, root } from '#foundation/server/release.ts'

/** Builds the pages and texts of a checkout that has changed; `say` gets what is being done. A release has them built. */
export async function bringPagesUpToDate(say: (line: string) => void): Promise<void> {
  if (isRelease) return
  const { buildIfStale } = await import('#tools/build.ts')
  await buildIfStale(root, say)
}

/** The texts alone, for what shows no pages. */
export async function bringTextsUpToDate(): Promise<void> {
  if (isRelease) return
  const { buildTexts } = await import('#tools/build.ts')
  await buildTexts(root)
}
