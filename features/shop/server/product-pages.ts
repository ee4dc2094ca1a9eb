import type { Plan } from '#features/licences/contract.ts'
import { months } from '#features/licences/rules.ts'
import { moneyText } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { html, type Html } from '#foundation/server/http/html.ts'
import * as m from '#texts/messages.js'
import { buyAddress, indexAddress, productAddress } from './addresses.ts'
import { countryForm } from './country-form.ts'
import { extraText } from './extra-fields.ts'
import { layout } from './layout.ts'
import { offersOf } from './offers.ts'
import { percentText, taxText, termText } from './price-texts.ts'
import { cheapestOf, type ShopEdition, type ShopProduct } from './products.ts'
import type { Visit } from './visit.ts'

/** The page with all products. */
export function indexPage({ config }: App, visit: Visit, products: readonly ShopProduct[]): Html {
  const { locale } = visit
  const [title, description] = [m.shop_title({}, { locale }), m.shop_text({}, { locale })]
  const cards = products.map((product) => productCard(product, visit))
  return layout(
    config,
    {
      locale,
      title,
      description,
      home: homeOf(visit),
      inLanguage: (other) => indexAddress(other ? { locale: other } : {}),
      chosenIn: (other) => indexAddress({ ...visit.brought, locale: other, country: chosen(visit) }),
    },
    html`<h1>${title}</h1>
      <p class="lead">${description}</p>
      ${
        cards.length > 0
          ? html`${countryForm(visit, visit.isNamed ? indexAddress({ locale }) : indexAddress())}
              <ul class="cards">
                ${cards}
              </ul>`
          : html`<p>${m.shop_empty({}, { locale })}</p>`
      }`,
  )
}

const homeOf = (visit: Visit): string =>
  indexAddress({ ...visit.brought, locale: visit.locale, country: chosen(visit) })

const chosen = ({ country, isChosen }: Visit): string | undefined => (isChosen ? country : undefined)

function productCard(product: ShopProduct, visit: Visit): Html {
  const { locale } = visit
  const cheapest = cheapestOf(product)
  const to = productAddress(product.slug, {
    ...visit.brought,
    ...(visit.isNamed && { locale }),
    country: chosen(visit),
  })
  const price = moneyText(cheapest.per_month, locale)
  return html`<li class="card">
    <h2>
      <a href="${to}">${product.name[locale]} <span aria-hidden="true">→</span></a>
    </h2>
    ${product.text[locale] !== '' && html`<p class="small">${product.text[locale]}</p>`}
    <p class="from">
      <span class="price">${m.shop_from({ price }, { locale })}</span><br /><span class="small"
        >${taxText(cheapest, visit)}</span
      >
    </p>
  </li>`
}

/** The page of one product: its editions, what each has, and what it costs for each term. */
export function productPage({ config }: App, visit: Visit, product: ShopProduct): Html {
  const { locale } = visit
  const { slug, name, text, editions } = product
  const own = visit.isNamed ? productAddress(slug, { locale }) : productAddress(slug)
  return layout(
    config,
    {
      locale,
      home: homeOf(visit),
      title: name[locale],
      description: text[locale] || name[locale],
      inLanguage: (other) => productAddress(slug, other ? { locale: other } : {}),
      chosenIn: (other) => productAddress(slug, { ...visit.brought, locale: other, country: chosen(visit) }),
      head: offersOf(config.publicOrigin, config.operator.name, product, locale),
    },
    html`<h1>${name[locale]}</h1>
      ${text[locale] !== '' && html`<p class="lead">${text[locale]}</p>`} ${countryForm(visit, own)}
      <ul class="cards">
        ${editions.map((edition) => editionCard(edition, visit))}
      </ul>`,
  )
}

function editionCard(
  { name, description, features, entitlements, trial_days, plans }: ShopEdition,
  visit: Visit,
): Html {
  const { locale } = visit
  const machines = entitlements['machines']
  return html`<li class="card">
    <h2>${name[locale]}</h2>
    ${description[locale] !== '' && html`<p class="small">${description[locale]}</p>`}
    <ul class="features">
      ${typeof machines === 'number' && html`<li>${m.shop_machines({ count: machines }, { locale })}</li>`}${features.map((feature) => html`<li>${feature[locale]}</li>`)}
    </ul>
    ${trial_days > 0 && html`<p class="small">${m.shop_trial({ count: trial_days }, { locale })}</p>`}
    ${extrasOf(plans, locale)}
    <ul class="prices">
      ${plans.map((plan) => planRow(plan, visit))}
    </ul>
  </li>`
}

/** The extras of an edition, at their prices with its shortest plan. */
function extrasOf([plan]: readonly Plan[], locale: Visit['locale']): Html | undefined {
  if (!plan?.extras) return undefined
  const rows = plan.extras.map(
    (extra) => html`<li>${extra.name[locale]}: ${extraText(plan, extra, locale)}</li>`,
  )
  return html`<p class="small">${m.sales_extras({}, { locale })}</p>
    <ul class="features">
      ${rows}
    </ul>`
}

function planRow(plan: Plan, visit: Visit): Html {
  const { locale } = visit
  const { slug, name, term, price_total, per_month, saving } = plan
  const total = moneyText(price_total, locale)
  const month = moneyText(per_month, locale)
  const label = m.shop_buy_named({ plan: name[locale], term: termText(term, locale) }, { locale })
  return html`<li>
    <div>
      <span class="label">${termText(term, locale)}</span>
      ${saving !== null && html`<span class="saving">${m.shop_saving({ percent: percentText(saving.percent, locale) }, { locale })}</span>`}
      <br /><span class="price">${total}</span>
      ${months[term] > 1 && html`<span class="small">${m.shop_per_month({ price: month }, { locale })}</span>`}
      <br /><span class="small">${taxText(plan, visit)}</span>
    </div>
    <a
      class="button main-button"
      href="${buyAddress(slug, { ...visit.brought, locale, country: visit.country })}"
      rel="nofollow"
      aria-label="${label}"
      >${m.shop_buy({}, { locale })}</a
    >
  </li>`
}
