import { fieldIn } from './json.ts'

/** An answer that is a part of a list. */
export type Page = { items: unknown[]; next_cursor?: string | null }

export const isPage = (answer: unknown): answer is Page => Array.isArray(fieldIn(answer, 'items'))

/** Returns a whole list: the pages that `pageAt` gives for one cursor after the other, as one. */
export async function allPages(pageAt: (cursor: string | undefined) => Promise<unknown>): Promise<unknown> {
  const first = await pageAt(undefined)
  if (!isPage(first)) return first
  const items = [...first.items]
  let cursor = first.next_cursor
  while (cursor) {
    const page = await pageAt(cursor)
    if (!isPage(page)) break
    items.push(...page.items)
    cursor = page.next_cursor === cursor ? null : page.next_cursor
  }
  return { ...first, items, next_cursor: null }
}
