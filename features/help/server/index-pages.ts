import { languageOf } from '#features/help/rules.ts'
import type { Locale, Translated } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import { html, type Html } from '#foundation/server/http/html.ts'
import * as m from '#texts/messages.js'
import { articleAddress, indexAddress, sectionAddress } from './addresses.ts'
import { frame } from './frame.ts'
import type { PublicRow } from './public-queries.ts'
import type { Found } from './search.ts'
import { AFTER, BEFORE } from './search-queries.ts'

/** A visit: the language of the page, and whether the address names it. */
export type Visit = { locale: Locale; isNamed: boolean }

/** The language that links of a page name: that of its own address, or none. */
export const keptIn = ({ locale, isNamed }: Visit): Locale | undefined => (isNamed ? locale : undefined)

export const shown = (text: Translated, locale: Locale): string => text[languageOf(text, locale)]

/** The page with all sections and the titles in them. */
export function indexPage({ config }: App, visit: Visit, articles: readonly PublicRow[]): Html {
  const { locale } = visit
  const [title, description] = [m.help_title({}, { locale }), m.help_text({}, { locale })]
  const sections = Map.groupBy(articles, ({ section }) => section)
  return frame(
    config,
    { locale, title, description, inLanguage: indexAddress, chosenIn: indexAddress },
    html`<h1>${title}</h1>
      <p class="lead">${description}</p>
      ${searchForm(visit, '')}
      <ul class="cards sections">
        ${[...sections].map(([slug, inside]) => sectionCard(slug, inside, visit))}
      </ul>`,
  )
}

const sectionCard = (slug: string, inside: readonly PublicRow[], visit: Visit): Html =>
  html`<li class="card">
    <h2>
      <a href="${sectionAddress(slug, keptIn(visit))}">${sectionTitle(inside, visit)}</a>
    </h2>
    ${titles(inside, visit)}
  </li>`

const sectionTitle = ([first]: readonly PublicRow[], { locale }: Visit): string =>
  first ? shown(first.section_title, locale) : ''

export const titles = (inside: readonly PublicRow[], visit: Visit): Html =>
  html`<ul class="titles">
    ${inside.map(({ section, slug, title }) => html`<li><a href="${articleAddress(section, slug, keptIn(visit))}">${shown(title, visit.locale)}</a></li>`)}
  </ul>`

/** The page of one section. */
export function sectionPage({ config }: App, visit: Visit, inside: readonly PublicRow[]): Html {
  const { locale } = visit
  const title = sectionTitle(inside, visit)
  const address = (other?: Locale) => sectionAddress(inside[0]?.section ?? '', other)
  return frame(
    config,
    { locale, title, description: title, inLanguage: address, chosenIn: address },
    html`<p class="trail"><a href="${indexAddress(keptIn(visit))}">${m.help_title({}, { locale })}</a></p>
      <h1>${title}</h1>
      ${searchForm(visit, '')} ${titles(inside, visit)}`,
  )
}

/** The page with what was found; search engines get none of it. */
export function searchPage({ config }: App, visit: Visit, typed: string, found: readonly Found[]): Html {
  const { locale } = visit
  const title = m.help_found({ typed }, { locale })
  const chosenIn = (other: Locale) => `${indexAddress(other)}?q=${encodeURIComponent(typed)}`
  const none = html`<p>${m.help_none_found({}, { locale })}</p>`
  return frame(
    config,
    { locale, title, description: title, chosenIn },
    html`<p class="trail"><a href="${indexAddress(keptIn(visit))}">${m.help_title({}, { locale })}</a></p>
      <h1>${title}</h1>
      ${searchForm(visit, typed)}
      ${
        found.length === 0
          ? none
          : html`<ul class="found">
              ${found.map((one) => hit(one, visit))}
            </ul>`
      }`,
  )
}

function hit({ section, slug, title, locale, excerpt }: Found, visit: Visit): Html {
  const to = articleAddress(section, slug, locale === visit.locale ? keptIn(visit) : locale)
  return html`<li lang="${locale}">
    <h2><a href="${to}">${title[locale]}</a></h2>
    <p class="small">${marked(excerpt)}</p>
  </li>`
}

const marked = (excerpt: string): readonly Html[] =>
  excerpt.split(BEFORE).map((part, place) => {
    const [found = '', rest] = part.split(AFTER)
    return place === 0 || rest === undefined ? html`${part}` : html`<mark>${found}</mark>${rest}`
  })

const searchForm = (visit: Visit, typed: string): Html => {
  const { locale } = visit
  return html`<form class="find" role="search" action="${indexAddress(keptIn(visit))}" method="get">
    <label
      >${m.help_search({}, { locale })}<input
        type="search"
        name="q"
        value="${typed}"
        maxlength="200"
        required
    /></label>
    <button class="button">${m.help_find({}, { locale })}</button>
  </form>`
}
