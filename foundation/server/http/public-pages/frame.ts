import { locales, type Locale } from '#foundation/locale.ts'
import { PAGES_BASE } from '#foundation/page-path.ts'
import type { Config } from '#foundation/server/config.ts'
import { html, type Html } from '#foundation/server/http/html.ts'
import { logoAddress } from '#foundation/server/http/white-label.ts'
import * as m from '#texts/messages.js'

export type PublicPage = {
  locale: Locale
  /** The addresses of the style sheet, of the page to which the name at the top leads, and of the sign-in. */
  style: string
  home: string
  signIn: string
  title: string
  description: string
  /** The address of this page in each language, for search engines and for the choice of the language; absent for a page of one visitor. */
  inLanguage?: (locale?: Locale) => string
  /** The same, with whatever the visitor chose. */
  chosenIn?: (locale: Locale) => string
  /** The form on this page that is sent to `chosenIn`, by its act that shows it again, so that a change of the language keeps what was typed. */
  form?: Form
  /** More of the head, such as data for search engines. */
  head?: Html
}

type Form = { id: string; act: string }

/** Puts a public page together: head, header with the choice of a language, the page, footer with what the law wants there. */
export function publicFrame(config: Config, page: PublicPage, main: Html): Html {
  const { locale, title, description, inLanguage, chosenIn, form, head, style, home, signIn } = page
  const { operator, publicOrigin } = config
  const own = [
    [operator.imprintUrl, m.ui_imprint],
    [operator.privacyUrl, m.ui_privacy],
    [operator.termsUrl, m.ui_terms],
    [operator.withdrawalUrl, m.ui_withdrawal],
  ] as const
  const links = own.map(([url, text]) =>
    url === undefined ? html`` : html`<li><a href="${url}">${text({}, { locale })}</a></li>`,
  )
  return html`<!doctype html>
    <html lang="${locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} – ${operator.name}</title>
        <meta name="description" content="${description}" />
        <meta name="theme-color" content="#fff" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#000" media="(prefers-color-scheme: dark)" />
        <link rel="stylesheet" href="${style}" />
        <link rel="icon" href="${logoAddress(operator) ?? `${PAGES_BASE}/favicon.svg`}" />
        ${inLanguage ? languagesFor(publicOrigin, inLanguage, locale) : html`<meta name="robots" content="noindex" />`}${head}
      </head>
      <body>
        <a class="skip" href="#main">${m.ui_page_skip({}, { locale })}</a>
        <header class="top">
          <div class="wide">
            <a class="brand" href="${home}">${mark(operator)}<span>${operator.name}</span></a>
            <nav class="languages" aria-label="${m.ui_page_language({}, { locale })}">
              ${chosenIn && (form === undefined ? languageLinks(chosenIn, locale) : languageButtons(chosenIn, locale, form))}
            </nav>
            <a class="sign-in" href="${PAGES_BASE}${signIn}">${m.ui_page_sign_in({}, { locale })}</a>
          </div>
        </header>
        <main id="main" class="wide">${main}</main>
        <footer class="bottom">
          <div class="wide">
            <ul>
              ${links}${
                operator.supportEmail
                  ? html`<li><a href="mailto:${operator.supportEmail}">${operator.supportEmail}</a></li>`
                  : undefined
              }
            </ul>
          </div>
        </footer>
      </body>
    </html> `
}

/** Search engines learn the other languages, and that all of them are one page, whatever country was chosen. */
const languagesFor = (origin: string, address: (locale?: Locale) => string, locale: Locale): Html =>
  html`<link rel="canonical" href="${origin}${address(locale)}" />${locales.map(
      (other) => html`<link rel="alternate" hreflang="${other}" href="${origin}${address(other)}" />`,
    )}<link rel="alternate" hreflang="x-default" href="${origin}${address()}" />`

const names: Record<Locale, string> = { en: 'English', de: 'Deutsch', ru: 'Русский' }

const languageLinks = (address: (locale: Locale) => string, present: Locale): readonly Html[] =>
  locales.map(
    (locale) =>
      html`<a
        href="${address(locale)}"
        hreflang="${locale}"
        lang="${locale}"
        ${locale === present && html` aria-current="true"`}
        title="${names[locale]}"
        >${locale.toUpperCase()}</a
      >`,
  )

/**
 * Buttons that send the form to its page in another language. The Enter key presses the first button of a form, so that a hidden one, which keeps
 * the language, stands before them.
 */
const languageButtons = (
  address: (locale: Locale) => string,
  present: Locale,
  form: Form,
): readonly Html[] => [
  languageButton(address(present), form, html` hidden`, html``),
  ...locales.map((locale) => {
    const isPresent = locale === present && html` aria-current="true"`
    const named = html` lang="${locale}" title="${names[locale]}" ${isPresent}`
    return languageButton(address(locale), form, named, html`${locale.toUpperCase()}`)
  }),
]

const languageButton = (address: string, { id, act }: Form, more: Html, text: Html): Html =>
  html`<button form="${id}" formaction="${address}" formnovalidate name="act" value="${act}" ${more}>
    ${text}
  </button>`

function mark(operator: Config['operator']): Html {
  const logo = logoAddress(operator)
  if (logo !== undefined) return html`<img src="${logo}" alt="" width="24" height="24" />`
  return html`<svg width="24" height="24" viewBox="0 0 24 24" fill="none" aria-hidden="true">
    <path
      d="M6 3h12a3 3 0 0 1 3 3v9a3 3 0 0 1-3 3h-6.5L7 21.4a.6.6 0 0 1-1-.45V18a3 3 0 0 1-3-3V6a3 3 0 0 1 3-3Z"
      fill="var(--accent)"
    />
    <path d="M7 8h6M7 13h6" stroke="#fff" stroke-width="2" stroke-linecap="round" />
    <circle cx="16.8" cy="8" r="1.2" fill="#fff" />
  </svg>`
}
