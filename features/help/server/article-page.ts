import { languageOf, wordsOf } from '#features/help/rules.ts'
import type { Locale, Translated } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import { html, type Html } from '#foundation/server/http/html.ts'
import * as m from '#texts/messages.js'
import { articleAddress, indexAddress, sectionAddress } from './addresses.ts'
import { articleMarkup } from './article-markup.ts'
import { frame } from './frame.ts'
import { keptIn, shown, titles, type Visit } from './index-pages.ts'
import type { PublicRow } from './public-queries.ts'
import type { Vote } from './votes.ts'

type Shown = {
  article: PublicRow
  text: Translated
  /** The vote of this visitor, if there is one. */
  vote: Vote | undefined
  /** The articles of the same section. */
  beside: readonly PublicRow[]
}

/** The page of one article. In a language in which it was not written it is shown in another one, and says so to search engines. */
export function articlePage({ config }: App, visit: Visit, { article, text, vote, beside }: Shown): Html {
  const { locale } = visit
  const { section, slug, section_title } = article
  const written = languageOf(text, locale)
  const title = shown(article.title, written)
  const address = (other?: Locale) => articleAddress(section, slug, other)
  const others = beside.filter((other) => other.slug !== slug)
  const head = written === locale ? undefined : html`<meta name="robots" content="noindex" />`
  return frame(
    config,
    {
      locale,
      title,
      description: beginning(wordsOf(text[written])),
      inLanguage: address,
      chosenIn: address,
      ...(head && { head }),
    },
    html`<p class="trail">
        <a href="${indexAddress(keptIn(visit))}">${m.help_title({}, { locale })}</a
        ><span aria-hidden="true">/</span>
        <a href="${sectionAddress(section, keptIn(visit))}">${shown(section_title, locale)}</a>
      </p>
      <div class="columns">
        <article class="article" lang="${written}">
          <h1>${title}</h1>
          ${articleMarkup(text[written], config.publicOrigin)}${voteForm(address(locale), locale, vote)}
        </article>
        ${
          others.length > 0 &&
          html`<nav class="beside" aria-labelledby="beside">
            <h2 id="beside">${m.help_beside({}, { locale })}</h2>
            ${titles(others, visit)}
          </nav>`
        }
      </div>`,
  )
}

const MOST_DESCRIBED = 155

function beginning(words: string): string {
  const line = words.replaceAll(/\s+/gu, ' ').trim()
  return line.length <= MOST_DESCRIBED ? line : `${line.slice(0, line.lastIndexOf(' ', MOST_DESCRIBED))}…`
}

function voteForm(address: string, locale: Locale, vote: Vote | undefined): Html {
  if (vote)
    return html`<div class="vote" id="vote" lang="${locale}">
      <p role="status">${m.help_vote_thanks({}, { locale })}</p>
    </div>`
  return html`<form class="vote" id="vote" lang="${locale}" method="post" action="${address}vote">
    <p>${m.help_vote({}, { locale })}</p>
    <button class="button" name="helpful" value="yes">${m.help_vote_yes({}, { locale })}</button>
    <button class="button" name="helpful" value="no">${m.help_vote_no({}, { locale })}</button>
  </form>`
}
