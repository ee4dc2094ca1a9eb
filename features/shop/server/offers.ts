import type { Locale } from '#foundation/locale.ts'
import { decimalText } from '#foundation/money.ts'
import { jsonBlock } from '#foundation/server/http/html.ts'
import { buyAddress, productAddress } from './addresses.ts'
import { termText } from './price-texts.ts'
import type { ShopProduct } from './products.ts'

/** The data that search engines read of a product (schema.org): its plans with their prices. */
export const offersOf = (
  origin: string,
  seller: string,
  { slug, name, text, editions }: ShopProduct,
  locale: Locale,
) =>
  jsonBlock('application/ld+json', {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: name[locale],
    description: text[locale],
    brand: { '@type': 'Brand', name: seller },
    url: `${origin}${productAddress(slug, { locale })}`,
    offers: editions.flatMap((edition) =>
      edition.plans.map((plan) => ({
        '@type': 'Offer',
        name: `${edition.name[locale]}, ${termText(plan.term, locale)}`,
        sku: plan.slug,
        price: decimalText(plan.price_total),
        priceCurrency: plan.price_total.currency,
        availability: 'https://schema.org/InStock',
        url: `${origin}${buyAddress(plan.slug, { locale })}`,
      })),
    ),
  })
