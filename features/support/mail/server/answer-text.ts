import EmailReplyParser from 'email-reply-parser'
import { convert } from 'html-to-text'

/** The text of a mail, whole and as the answer alone. */
export type MailText = { whole: string; answer: string }

/**
 * Returns the whole text of a mail, and the part that its author wrote: without the letter that it answers and without a signature. An author
 * who wrote between the lines keeps these lines. If nothing is left, the whole text is the answer.
 */
export function textOf({ text, html }: { text?: string | undefined; html?: string | undefined }): MailText {
  const hasText = text !== undefined && text.trim() !== ''
  const whole = tidy(hasText ? text : fromHtml(html ?? '', []))
  const own = hasText ? whole : tidy(fromHtml(beforeHeader(html ?? ''), quotes))
  // Words below a repeated line answer that line, and mean nothing without it.
  if (own === '' || own.startsWith('>')) return { whole, answer: own }
  const answer = tidy(new EmailReplyParser().read(beforeLetter(own)).getVisibleText())
  return { whole, answer: answer === '' ? beforeLetter(own) : answer }
}

/** The places where programs put the letter that is answered. */
const quotes = [
  'blockquote[type=cite]',
  '.gmail_quote',
  '.gmail_quote_container',
  '.yahoo_quoted',
  '.moz-cite-prefix',
  '#mail-editor-reference-message-container',
  '.protonmail_quote',
  '#ymail_android_signature',
]

/** Outlook sets no tag around the letter that is answered: it begins at its header and ends with the mail. */
function beforeHeader(html: string): string {
  const at = html.search(/<div[^<>]{0,200}\bid="?(?:appendonsend|divRplyFwdMsg)\b/iu)
  return at < 0 ? html : html.slice(0, at)
}

const fromHtml = (html: string, skipped: readonly string[]): string =>
  convert(html, {
    wordwrap: false,
    limits: { maxInputLength: 2_000_000, maxDepth: 100, maxChildNodes: 5000 },
    selectors: [
      { selector: 'img', format: 'skip' },
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true, ignoreHref: false } },
      { selector: 'h1', options: { uppercase: false } },
      { selector: 'h2', options: { uppercase: false } },
      { selector: 'h3', options: { uppercase: false } },
      ...skipped.map((selector) => ({ selector, format: 'skip' })),
    ],
  })

/** Line ends become one kind, and what is no text goes: a database takes no NUL. */
const tidy = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\r\n?|[\u2028\u2029]/gu, '\n')
    // oxlint-disable-next-line no-control-regex -- these characters are no text
    .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\uFEFF]/gu, '')
    .replaceAll('\u00A0', ' ')
    .replaceAll(/\n{3,}/gu, '\n\n')
    .trim()

/**
 * Cuts a text before the letter that it answers, where a program repeats the letter without marks: after a line, or after its header. A letter
 * with marks is left to the parser, which keeps what is written between them.
 */
function beforeLetter(text: string): string {
  const lines = text.split('\n')
  const at = lines.findIndex((line, index) => beginsLetter(line, lines.slice(index + 1, index + 5)))
  if (at <= 0) return text
  const rest = lines.slice(at + 1)
  // Words after a marked letter were written between its lines.
  const isMarked = rest.some((line) => line.startsWith('>'))
  const isBetween = isMarked && rest.slice(rest.findIndex((line) => line.startsWith('>'))).some(isOwn)
  return isBetween ? text : lines.slice(0, at).join('\n')
}

const isOwn = (line: string): boolean => line.trim() !== '' && !line.startsWith('>') && !/^-- ?$/u.test(line)

function beginsLetter(typed: string, next: readonly string[]): boolean {
  const line = typed.trim()
  if (separators.some((one) => one.test(line))) return true
  if (sender.test(line) && next.some((one) => dated.test(one))) return true
  if (dated.test(line) && next.some((one) => sender.test(one))) return true
  // Programs break a long line in two or three; a blank line ends it.
  const blank = next.findIndex((one) => one.trim() === '')
  const more = next.slice(0, blank < 0 ? 2 : Math.min(blank, 2))
  return [0, 1, 2].slice(0, more.length + 1).some((count) => {
    const words = [line, ...more.slice(0, count)].join(' ').trim()
    return words.length < 400 && introductions.some((one) => one.test(words))
  })
}

// A line of underscores stands before the header of Outlook; each language writes its own dashes.
const separators = [
  /^_{20,}$/u,
  /^-{2,}\s*(original message|reply message|ursprüngliche nachricht|originalnachricht|исходное сообщение|пересылаемое сообщение)\s*-{2,}$/iu,
]
const sender = /^\*?(from|von|от|от кого)\*?\s?:\*?\s/iu
const dated = /^\*?(sent|date|gesendet|datum|отправлено|дата)\*?\s?:\*?\s/iu
const introductions = [
  /^on\s[^>]{4,300}\swrote:$/iu,
  /^on\s.{4,300}<[^<>\s]+>\swrote:$/iu,
  /^am\s.{4,300}\sschrieb\b.{0,300}:$/iu,
  /^am\s.{4,300}\sfolgendes geschrieben:$/iu,
  /^.{0,200}<[^\s<>]+@[^\s<>]+>,?\s(schrieb|wrote|пишет|написал\(?а?\)?)\b.{0,100}:$/iu,
  /^\p{L}{2,3},?\s\d{1,2}\s\p{L}{3,9}\.?,?\s\d{4}.{0,200}<[^<>\s]+@[^<>\s]+>:$/iu,
  /^\d{1,2}\.\d{1,2}\.\d{2,4},?\s.{0,200}(пишет|написал\(?а?\)?|schrieb|<[^<>\s]+@[^<>\s]+>):$/iu,
]
