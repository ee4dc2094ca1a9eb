import { secretForms, secretNames } from '#features/support/messages/rules.ts'

/** The kinds of help that a member of staff may ask the model for. */
export const kinds = ['draft', 'summary', 'translation'] as const
export type Kind = (typeof kinds)[number]

/** The last messages that go to the model, and the letters of each. */
export const MOST_MESSAGES = 12
export const MOST_OF_MESSAGE = 3000
/** The letters of an answer that are kept. */
const MOST_ANSWERED = 8000

/** Words that name one person, as in their profile: they are taken out wherever they stand. */
type Names = readonly string[]

/**
 * Returns a text without what names a person or opens something: keys, tokens, passwords, email addresses, IBANs, cards, addresses of
 * machines, phone numbers, and the `names` of the customer. A word in brackets stands for each. Nothing that is taken out is sent.
 */
export function withoutPrivate(text: string, names: Names = []): string {
  let kept = text.normalize('NFKC').replaceAll(/\p{Cf}/gu, '')
  for (const [pattern, word] of PATTERNS)
    kept = kept.replaceAll(pattern, (found: string) => (isMeant(word, found) ? `[${word}]` : found))
  for (const name of names.filter((one) => one.trim().length > 2))
    kept = kept.replaceAll(
      new RegExp(`(?<![\\p{L}\\p{N}])${escaped(name.trim())}(?![\\p{L}\\p{N}])`, 'giu'),
      '[name]',
    )
  return kept
}

const escaped = (name: string): string => name.replaceAll(/[.*+?^${}()|[\]\\/-]/gu, String.raw`\$&`)

// The order matters: a key may hold what looks like a number of a card.
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  ...secretForms.map(([form, word]) => [new RegExp(form, `g${form.flags}`), word] as const),
  [/-----BEGIN [A-Z ]+-----[\s\S]*?(?:-----END [A-Z ]+-----|$)/gu, 'key'],
  [/\bssh-(?:rsa|ed25519|dss) [\w+/=]+(?: \S+)?/gu, 'key'],
  [/\beyJ[\w-]+\.[\w-]+\.?[\w-]*/gu, 'token'],
  [/[\p{L}\p{N}.+_%-]{1,64}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu, 'email address'],
  [/\b(?:hd[a-z]|sk|pk|rk|ghp|gho|xox[a-z]|whsec)[_-][\w-]{8,}/giu, 'token'],
  [
    new RegExp(
      String.raw`(?<=(?:${secretNames})(?:\s*[:=—–]\s*|\s+(?:(?:is|ist|lautet|это)\s+)?)["']?)(?!\[)(?=\S*[\d\W_])[^\s"']{5,}`,
      'giu',
    ),
    'password',
  ],
  [/\b[A-Z]{2}\d{2}(?:[ -]?[\dA-Z]{4}){2,7}(?:[ -]?[\dA-Z]{1,3})?\b/giu, 'IBAN'],
  [/\b\d(?:[ -]?\d){12,18}\b/gu, 'card'],
  [/(?<![\w:])(?:[\da-f]{0,4}:){2,7}[\da-f]{0,4}(?:\/\d{1,3})?(?![\w:])/giu, 'address'],
  [/(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?:\/\d{1,2})?(?![\d.]*\d)/gu, 'address'],
  [/(?<![\w])(?=[\w+/=-]*\d)(?=[\w+/=-]*[a-z])[\w+/=-]{24,}/giu, 'key'],
  [/(?<![\w.])\+?\d(?:[ ()/-]{0,2}\d){8,14}(?![\w])/gu, 'phone number'],
]

/** Only a number that could be one of a card is taken for one; times such as 10:20:30 are no addresses. */
function isMeant(word: string, found: string): boolean {
  if (word === 'card') return passesLuhn(found.replaceAll(/\D/gu, ''))
  if (word === 'address' && found.includes(':')) return found.includes('::') || found.split(':').length > 4
  return true
}

function passesLuhn(digits: string): boolean {
  const sum = [...digits].toReversed().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

/**
 * Returns an answer of the model as plain text: without its thoughts, without letters that cannot be seen, and without links to other places
 * than `origin`. The attack is a message that makes the model hand a link to the next reader.
 */
export function plainAnswer(answer: string, origin: string): string {
  const words = answer
    .replaceAll(/<think>[\s\S]*?(?:<\/think>|$)/gu, '')
    .toWellFormed()
    .replaceAll(/[^\P{C}\n\t]/gu, '')
    .replaceAll(/!?\[([^\]]*)\]\(([^)\s]*)[^)]*\)/gu, (whole, label: string, to: string) =>
      isOwn(to, origin) ? whole : label,
    )
    .replaceAll(/\b[a-z][a-z\d+.-]*:\/\/[^\s<>)\]]+|\bwww\.[^\s<>)\]]+/giu, (url: string) =>
      isOwn(url, origin) ? url : '[…]',
    )
  return [...words.trim()].slice(0, MOST_ANSWERED).join('')
}

const isOwn = (url: string, origin: string): boolean => url === origin || url.startsWith(`${origin}/`)
