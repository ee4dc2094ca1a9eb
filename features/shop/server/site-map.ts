import { locales } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import { escapeHtml } from '#foundation/server/mail/escape-html.ts'
import { indexAddress, productAddress } from './addresses.ts'
import { productsFor } from './products.ts'

/** Returns the list of the shop's pages for search engines (sitemaps.org), each with its other languages. */
export async function siteMap(app: App): Promise<string> {
  const { publicOrigin, company } = app.config
  const products = await productsFor(app, company.country)
  const pages = [indexAddress, ...products.map(({ slug }) => productAddress.bind(undefined, slug))]
  const entries = pages.flatMap((address) => {
    const others = locales.map(
      (locale) =>
        `<xhtml:link rel="alternate" hreflang="${locale}" href="${escapeHtml(publicOrigin + address({ locale }))}"/>`,
    )
    return locales.map(
      (locale) => `<url><loc>${escapeHtml(publicOrigin + address({ locale }))}</loc>${others.join('')}</url>`,
    )
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${entries.join('\n')}
</urlset>
`
}
