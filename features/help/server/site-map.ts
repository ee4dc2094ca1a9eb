import type { Locale } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import { printSiteMap } from '#foundation/server/http/public-pages/site-map.ts'
import { articleAddress, indexAddress, sectionAddress } from './addresses.ts'
import type { PublicRow } from './public-queries.ts'

/** Returns the list of the help centre's pages for search engines (sitemaps.org), each with its other languages. */
export function siteMap(
  { config: { publicOrigin } }: Pick<App, 'config'>,
  articles: readonly PublicRow[],
): string {
  const sections = [...new Set(articles.map(({ section }) => section))]
  const pages = [
    indexAddress,
    ...sections.map((section) => (locale: Locale) => sectionAddress(section, locale)),
    ...articles.map(
      ({ section, slug }) =>
        (locale: Locale) =>
          articleAddress(section, slug, locale),
    ),
  ]
  return printSiteMap(publicOrigin, pages)
}
