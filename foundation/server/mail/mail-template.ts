import { PAGES_BASE } from '#foundation/page-path.ts'
import { dateLocale } from '#foundation/date-locale.ts'
import { moneyText, type Money } from '#foundation/money.ts'
import type { Config } from '#foundation/server/config.ts'
import type { JobClass } from '#foundation/server/jobs/classes.ts'
import { inOwnWords } from './own-words.ts'

export type MailLocale = 'en' | 'de' | 'ru'

/** A person's own text, set apart from ours. */
export type Quote = { quote: string; author: string; at: Date }

/**
 * The content of a mail, without any mark-up; layout.ts makes text and HTML of it, and escapes everything. The greeting comes
 * before it: the outbox knows the recipient.
 */
export type MailContent = {
  subject: string
  /** The line that a list of mails shows behind the subject; the first paragraph unless set. */
  preheader?: string
  /**
   * True for an address that is not proven, or that somebody else named: its owner may be a stranger. Such a mail calls nobody by a name that the
   * account chose, its subject holds no words of others, and its quotes and `own` words hold no links either.
   */
  stranger?: true
  /**
   * The words in this mail whose links stay links, because they are ours, or were typed by its reader. All other words lose their links
   * (harmless.ts), since somebody else may have typed them.
   */
  own?: readonly string[]
  paragraphs: readonly (string | Quote)[]
  /** A question that is answered by one of several links, before the action; a mark is a sign before the word. */
  choices?: { question: string; links: readonly { mark: string; label: string; url: string }[] }
  action?: { label: string; url: string }
  /** Pairs of label and value: time, address, device. */
  facts?: readonly (readonly [label: string, value: string])[]
  /** Paragraphs behind the action and the facts: 'If that was not you …'. */
  closing?: readonly string[]
  /** For letters that the reader asked for: the page that stops them, and the call that does so by one click of the mail program (RFC 8058). `such`: it is no news. */
  unsubscribe?: { page: string; call: string; such?: true }
  /** For letters that can be answered, and belong together. */
  answers?: Answers
}

export type Answers = {
  /** The address that takes the answer. */
  to: string
  /** The address that takes what comes back, as envelope sender; the sender of all mails unless set. */
  returns?: string | undefined
  /** The Message-ID of what all these letters refer to, without its angle brackets. */
  thread: string
}

export type MailContext = {
  locale: MailLocale
  operator: Config['operator']
  /**
   * Returns the address of a page of the product. It begins with PUBLIC_ORIGIN, not with the Host header of a request: the attack is a
   * forged Host, which would send keys to another site.
   */
  link(path: `/${string}`, query?: Record<string, string>): string
  /** The address of a call of the API. */
  callAt(path: `/api/${string}`): string
  /** The address of a page that the server draws by itself, outside of the account area. */
  pageAt(path: `/${string}`): string
  /** The addresses of the pages that a key opens: pages of the SPA, or of the client that LINK_VERIFY, LINK_RESET and LINK_SIGNUP name. */
  links: { verify(key: string): string; reset(key: string): string; signup(): string }
  /** A time as the reader's language writes it, in the reader's time zone: '22 November 2026, 14:05 CET'. */
  time(at: Date): string
  /** An amount as the reader's language writes it. */
  money(amount: Money): string
}

export type MailTemplate<Values> = {
  kind: string
  /** The class of the job that sends it (rule 48). */
  class: MailClass
  write: (values: Values, context: MailContext) => MailContent
}

type MailClass = Exclude<JobClass, 'heavy'>

/**
 * Defines a mail template: a kind (unique, snake_case), the class of its job, example values, and a pure function of its values. Owners may
 * say its texts otherwise (own-words.ts).
 */
export function mailTemplate<Values>(
  kind: string,
  its: MailClass,
  examples: Examples<NoInfer<Values>>,
  write: MailTemplate<Values>['write'],
): MailTemplate<Values> {
  const written = (values: Values, context: MailContext) =>
    inOwnWords(kind, context, () => write(values, context))
  mailKinds.set(kind, {
    kind,
    class: its,
    examples: (context) => examples.map((values) => written(values, context)),
  })
  return { kind, class: its, write: written }
}

/** The first one is shown to owners; all together reach each text of the mail. */
export type Examples<Values> = readonly [Values, ...Values[]]

/** A kind of mail, and its mails with example values. */
export type MailKind = {
  kind: string
  class: MailClass
  examples: (context: MailContext) => MailContent[]
}

/** All kinds of mails by their names, as far as the process has loaded them. */
export const mailKinds = new Map<string, MailKind>()

export function mailContext(
  { operator, publicOrigin, linkTemplates }: Config,
  locale: MailLocale,
  timeZone: string,
): MailContext {
  return {
    locale,
    operator,
    link(path, query) {
      const url = new URL(`${PAGES_BASE}${path}`, publicOrigin)
      for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value)
      return url.href
    },
    callAt: (path) => new URL(path, publicOrigin).href,
    pageAt: (path) => new URL(path, publicOrigin).href,
    links: {
      verify: (key) => linkTemplates.verify.replace('{key}', encodeURIComponent(key)),
      reset: (key) => linkTemplates.reset.replace('{key}', encodeURIComponent(key)),
      signup: () => linkTemplates.signup,
    },
    time: (at) => timeText(at, locale, timeZone),
    money: (amount) => moneyText(amount, locale),
  }
}

function timeText(at: Date, locale: MailLocale, timeZone: string): string {
  const words = dateLocale(locale)
  const day = at.toLocaleDateString(words, { dateStyle: 'long', timeZone })
  const hour = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short', timeZone } as const
  return `${day}, ${at.toLocaleTimeString(words, hour)}`
}
