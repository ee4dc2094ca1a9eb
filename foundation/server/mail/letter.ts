import { moneyText, type Money } from '#foundation/money.ts'
import type { Config } from '#foundation/server/config.ts'

export type MailLocale = 'en' | 'de' | 'ru'

/** What a mail says, without any mark-up; layout.ts makes text and HTML of it, and escapes everything. */
export type Letter = {
  subject: string
  /** The line that a list of mails shows behind the subject; the first paragraph unless set. */
  preheader?: string
  paragraphs: readonly string[]
  action?: { label: string; url: string }
  /** Pairs of label and value: time, address, device. */
  facts?: readonly (readonly [label: string, value: string])[]
  /** Paragraphs behind the action and the facts: 'If that was not you …'. */
  closing?: readonly string[]
}

export type LetterContext = {
  locale: MailLocale
  operator: Config['operator']
  /** An address of ours. Begins with PUBLIC_ORIGIN, never with what a request says: else Host would steal keys. */
  link(path: `/${string}`, query?: Record<string, string>): string
  /** A time as the reader's language writes it, in UTC. */
  time(at: Date): string
  /** An amount as the reader's language writes it. */
  money(amount: Money): string
}

export type LetterKind<Values> = {
  kind: string
  write: (values: Values, context: LetterContext) => Letter
}

/** Defines a letter: a kind (unique, snake_case) and a pure function of its values. */
export const letter = <Values>(kind: string, write: LetterKind<Values>['write']): LetterKind<Values> => ({
  kind,
  write,
})

export function letterContext({ operator, publicOrigin }: Config, locale: MailLocale): LetterContext {
  return {
    locale,
    operator,
    link(path, query) {
      const url = new URL(path, publicOrigin)
      for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value)
      return url.href
    },
    time: (at) =>
      at.toLocaleString(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }) + ' UTC',
    money: (amount) => moneyText(amount, locale),
  }
}
