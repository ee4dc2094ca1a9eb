import type { Config } from '#foundation/server/config.ts'
import * as m from '#texts/messages.js'
import { harmless } from './harmless.ts'
import { htmlOf, type Frame } from './layout-html.ts'
import type { Answers, MailContent, MailContext, MailLocale, Quote } from './mail-template.ts'

export type Content = {
  subject: string
  text: string
  html: string
  /** The call that stops such letters by one click; stored mails of an earlier release have none. */
  unsubscribe?: string
  /** True where that call stops no news. */
  such?: true
  answers?: Answers
}

type To = Pick<MailContext, 'locale' | 'time'> & { config: Config; name: string }

/** Returns a mail as subject, plain text and HTML, in the name and colour of the operator, with a greeting for its reader. */
export function render(written: MailContent, { config, locale, time, name }: To): Content {
  const letter = harmless(written, config.operator.name)
  const { legal, ...own } = frameOf(config, locale)
  const { unsubscribe, answers } = letter
  const frame = {
    ...own,
    legal: [
      ...(unsubscribe
        ? [
            {
              label: unsubscribe.such ? m.mail_stop_such({}, { locale }) : m.mail_unsubscribe({}, { locale }),
              url: unsubscribe.page,
            },
          ]
        : []),
      ...legal,
    ],
    greeting: greetingOf(letter.stranger ? '' : name, locale),
    citation: ({ author, at }: Quote) => oneLine(m.mail_quote({ author, time: time(at) }, { locale })),
  }
  const clean = { ...letter, subject: oneLine(letter.subject) }
  return {
    subject: clean.subject,
    text: textOf(clean, frame),
    html: htmlOf(clean, frame),
    ...(unsubscribe && { unsubscribe: unsubscribe.call, ...(unsubscribe.such && { such: true as const }) }),
    ...(answers && { answers }),
  }
}

// The accent of the pages (foundation/web/theme/tokens.css), in the only notation that mail programs know.
const DEFAULT_ACCENT = '#345fcf'

/**
 * Greets by name only if the name looks like one. The attack is a sentence or a web address as a name, which would stand in our mail as if
 * we had written it.
 */
function greetingOf(name: string, locale: MailLocale): string {
  const isName = /^\p{L}[\p{L}\p{M} ’'-]{0,39}$/u.test(name)
  return isName ? m.mail_greeting({ name }, { locale }) : m.mail_greeting_nameless({}, { locale })
}

function frameOf({ operator }: Config, locale: MailLocale): Omit<Frame, 'greeting' | 'citation'> {
  const legal = [
    { label: m.mail_imprint({}, { locale }), url: operator.imprintUrl },
    { label: m.mail_privacy({}, { locale }), url: operator.privacyUrl },
    { label: m.mail_terms({}, { locale }), url: operator.termsUrl },
  ]
  return {
    locale,
    operator: operator.name,
    accent: operator.accentColor ?? DEFAULT_ACCENT,
    logo: logoOfMails(operator) !== undefined,
    words: wordsOf(operator, locale),
    link_hint: m.mail_link_hint({}, { locale }),
    automatic: m.mail_automatic({ operator: operator.name }, { locale }),
    support: operator.supportEmail
      ? { text: m.mail_support({ email: operator.supportEmail }, { locale }), address: operator.supportEmail }
      : undefined,
    legal: legal.filter((link): link is { label: string; url: string } => link.url !== undefined),
  }
}

/** Returns the operator's own words at the end of a mail, with their placeholders filled in. */
const wordsOf = (operator: Config['operator'], locale: MailLocale): string | undefined =>
  operator.mailClosing[locale]
    ?.replaceAll('{operator}', () => operator.name)
    .replaceAll('{support_email}', () => operator.supportEmail ?? '')

/**
 * Returns the logo if mails can show it: mail programs show PNG everywhere, but SVG and WebP almost nowhere, and then the operator's name
 * replaces the logo.
 */
export const logoOfMails = ({ logo }: Config['operator']): Buffer | undefined =>
  logo?.type === 'image/png' ? logo.bytes : undefined

function textOf(letter: MailContent, frame: Frame): string {
  const { paragraphs, choices, action, facts = [], closing = [] } = letter
  const blocks = [
    frame.greeting,
    ...paragraphs.map((block) => (typeof block === 'string' ? block : quoteOf(block, frame))),
    ...(choices
      ? [[choices.question, ...choices.links.map(({ label, url }) => `${label}: ${url}`)].join('\n')]
      : []),
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...(facts.length > 0 ? [facts.map(([label, value]) => `${label}: ${oneLine(value)}`).join('\n')] : []),
    ...closing,
    ...(frame.words === undefined ? [] : [frame.words]),
    [
      '-- ',
      frame.automatic,
      ...(frame.support ? [frame.support.text] : []),
      ...frame.legal.map((link) => `${link.label}: ${link.url}`),
    ].join('\n'),
  ]
  return `${blocks.join('\n\n')}\n`
}

const quoteOf = (block: Quote, { citation }: Frame): string =>
  [citation(block), ...block.quote.split('\n').map((line) => `> ${line}`.trimEnd())].join('\n')

/** Replaces line breaks by spaces. The attack is a line break in a name, after which a header or a forged line of facts would begin. */
const oneLine = (text: string) => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
