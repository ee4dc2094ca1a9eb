import type { Locale } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import { printSiteMap } from '#foundation/server/http/public-pages/site-map.ts'
import { indexAddress, productAddress } from './addresses.ts'
import { productsFor } from './products.ts'

/** Returns the list of the shop's pages for search engines. */
export async function siteMap(app: App): Promise<string> {
  const { publicOrigin, company } = app.config
  const products = await productsFor(app, company.country)
  return printSiteMap(publicOrigin, [
    (locale: Locale) => indexAddress({ locale }),
    ...products.map(
      ({ slug }) =>
        (locale: Locale) =>
          productAddress(slug, { locale }),
    ),
  ])
}
