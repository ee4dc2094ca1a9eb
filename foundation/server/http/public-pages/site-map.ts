import { locales, type Locale } from '#foundation/locale.ts'
import { escapeHtml } from '#foundation/server/mail/escape-html.ts'

/** Prints a list of pages for search engines (sitemaps.org), each with its other languages, from their addresses below `origin`. */
export function printSiteMap(origin: string, pages: readonly ((locale: Locale) => string)[]): string {
  const entries = pages.flatMap((address) => {
    const whole = (locale: Locale) => escapeHtml(origin + address(locale))
    const others = locales.map(
      (locale) => `<xhtml:link rel="alternate" hreflang="${locale}" href="${whole(locale)}"/>`,
    )
    return locales.map((locale) => `<url><loc>${whole(locale)}</loc>${others.join('')}</url>`)
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${entries.join('\n')}
</urlset>
`
}
