import { locales, type Locale } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import { escapeHtml } from '#foundation/server/mail/escape-html.ts'
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
    ...sections.map((section) => (locale?: Locale) => sectionAddress(section, locale)),
    ...articles.map(
      ({ section, slug }) =>
        (locale?: Locale) =>
          articleAddress(section, slug, locale),
    ),
  ]
  const whole = (address: string) => escapeHtml(publicOrigin + address)
  const entries = pages.flatMap((address) => {
    const others = locales.map(
      (locale) => `<xhtml:link rel="alternate" hreflang="${locale}" href="${whole(address(locale))}"/>`,
    )
    return locales.map((locale) => `<url><loc>${whole(address(locale))}</loc>${others.join('')}</url>`)
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${entries.join('\n')}
</urlset>
`
}
