import * as contract from '#features/help/contract.ts'
import { languageTyped, languageOf, wordsOf } from '#features/help/rules.ts'
import { paths } from '#features/paths.ts'
import type { Locale } from '#foundation/locale.ts'
import { PAGES_BASE } from '#foundation/page-path.ts'
import type { App } from '#foundation/server/app.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { preferredLocale } from '#foundation/server/http/preferred-locale.ts'
import { articleAddress, indexAddress } from './addresses.ts'
import { hasPublicArticle } from './public-queries.ts'
import { AFTER, BEFORE, bestArticles, excerpts, type Hit } from './search-queries.ts'

const MOST_SUGGESTED = 3
const MOST_FOR_STAFF = 8
/** Below this, an article has too little in common with a text to be offered to somebody who did not look for one. */
const LEAST_SUGGESTED = 1.2

type Search = { typed: string; locale: Locale; limit: number; staff?: boolean; least?: number }

/** An article that was found, with the words around what was typed; those that fit stand between BEFORE and AFTER. */
export type Found = Hit & { locale: Locale; excerpt: string }

/** Returns the articles that fit to a text, best first, in the language in which it was typed. */
export async function find(
  app: App,
  { typed, locale: shown, limit, staff = false, least = 0 }: Search,
): Promise<Found[]> {
  const locale = languageTyped(typed, shown)
  const hits = await bestArticles(app.db, { typed, locale, limit, staff, least })
  if (hits.length === 0) return []
  const texts = hits.map(({ text }) => wordsOf(text[languageOf(text, locale)]))
  const around = await excerpts(app.db, { typed, locale, texts })
  return hits.map((hit, place) => ({
    ...hit,
    locale: languageOf(hit.title, locale),
    excerpt: around[place] ?? '',
  }))
}

/** Answers `GET /api/help/`. */
export const searchHelp = handler(contract.searchHelp, async ({ app, query, request }) => {
  const locale = query.language ?? preferredLocale(request.headers['accept-language'])
  const search = { typed: query.q ?? '', locale, limit: MOST_SUGGESTED, least: LEAST_SUGGESTED }
  return { status: 200, body: await answer(app, search) }
})

/** Answers `GET /api/staff/help/search/`. */
export const searchStaffHelp = handler(contract.searchStaffHelp, async ({ app, query, request }) => {
  const locale = query.language ?? preferredLocale(request.headers['accept-language'])
  const search = { typed: query.q ?? '', locale, limit: MOST_FOR_STAFF, staff: true }
  return { status: 200, body: await answer(app, search) }
})

async function answer(app: App, search: Search) {
  const found = search.typed === '' ? [] : await find(app, search)
  // An article that was found proves that something is published, unless only staff may read it.
  const isOpen = found.some(({ audience }) => audience === 'everybody') || (await hasPublicArticle(app.db))
  return {
    url: isOpen ? `${app.config.publicOrigin}${indexAddress(search.locale)}` : null,
    items: found.map((one) => toFound(app, one)),
  }
}

const toFound = (app: App, found: Found): contract.FoundArticle => {
  const { id, slug, section, section_title, audience, title, locale, excerpt } = found
  const page =
    audience === 'staff' ? `${PAGES_BASE}${paths.helpArticle(id)}` : articleAddress(section, slug, locale)
  return {
    id,
    title: title[locale],
    section: section_title[languageOf(section_title, locale)],
    url: `${app.config.publicOrigin}${page}`,
    excerpt: excerpt.replaceAll(BEFORE, '').replaceAll(AFTER, '').replaceAll(/\s+/gu, ' ').trim(),
  }
}
