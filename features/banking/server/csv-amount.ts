import { directionIn } from './csv-words.ts'

/** An amount as a cell says it: positive minor units, the direction if the cell has a sign or a word for it, and its currency if it names one. */
export type CellAmount = { amount: bigint; direction: 'in' | 'out' | undefined; currency: string }

type Form = { decimal: ',' | '.'; digits: number; own: string }

/**
 * Returns the amount in a cell such as '1.234,50', '(19.90)', '19,90-', '€ 5' or '13,37 S'. Undefined where the number is not certain, such
 * as one with three digits behind its point, which may divide thousands, or with two signs.
 */
export function amountIn(cell: string, { decimal, digits, own }: Form): CellAmount | undefined {
  let rest = cell
    .replaceAll(/[\u{2010}-\u{2015}\u{2212}\u{fe58}\u{fe63}\u{ff0d}]/gu, '-')
    .trim()
    // Swiss and German for a whole amount: 50.- and 50,--
    .replace(/[.,]-{1,2}(?=\s*[\p{L}\p{Sc}]*$)/u, '')
  const said: string[] = []
  const strip = (pattern: RegExp) => {
    const [found, word] = pattern.exec(rest) ?? []
    if (found === undefined) return false
    said.push(word === undefined || found.startsWith('(') ? '-' : word)
    rest = found.startsWith('(') ? (word ?? '') : rest.replace(pattern, '')
    return true
  }
  const patterns = [
    /^\((.*)\)$/,
    /^([+-])\s*/,
    /\s*([+-])$/,
    /^([\p{L}\p{Sc}][\p{L}\p{Sc}.]*?)\.?\s*(?=[\d.,+(-])/u,
    /\s*([\p{L}\p{Sc}]+)\.?$/u,
  ]
  while (said.length <= 3 && patterns.some(strip));
  const amount = minorIn(rest, decimal, digits)
  const directions = new Set(said.flatMap((word) => directionIn(word) ?? []))
  const signs = said.filter((word) => directionIn(word) !== undefined)
  const currencies = said.filter((word) => directionIn(word) === undefined)
  if (
    amount === undefined ||
    signs.length !== directions.size ||
    directions.size > 1 ||
    currencies.length > 1
  )
    return undefined
  return { amount, direction: [...directions][0], currency: currencyOf(currencies[0], own) }
}

const SYMBOLS: Readonly<Record<string, string>> = {
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
  '₽': 'RUB',
  '₴': 'UAH',
  '₺': 'TRY',
  '₹': 'INR',
  zł: 'PLN',
  kč: 'CZK',
  ft: 'HUF',
  fr: 'CHF',
  sfr: 'CHF',
}

/** Returns the code of a currency; empty for none. Several countries call theirs $ and kr: there it is the own one, or unknown. */
function currencyOf(word: string | undefined, own: string): string {
  if (word === undefined) return ''
  if (word === '$') return /^(?:USD|CAD|AUD|NZD|SGD|HKD|MXN)$/.test(own) ? own : '$'
  if (/^kr$/i.test(word)) return /^(?:SEK|NOK|DKK|ISK)$/.test(own) ? own : 'kr'
  return SYMBOLS[word.toLowerCase()] ?? word.toUpperCase()
}

/** Returns a number without sign in minor units. The usual decimal sign decides only where the number itself leaves both open. */
function minorIn(text: string, decimal: ',' | '.', digits: number): bigint | undefined {
  const usual = split(text, decimal)
  if (usual) return minorOf(usual, digits)
  // '12.50' can only have a decimal point, even where the usual sign is the comma.
  const other = split(text, decimal === ',' ? '.' : ',')
  return other && other.part.length === digits && digits !== 3 ? minorOf(other, digits) : undefined
}

type Parts = { whole: string; part: string; hasPart: boolean }

const GROUPED = {
  ',': /^(?:\d{1,15}|\d{1,3}(?:([.\s'’])\d{3})(?:\1\d{3}){0,4})$/u,
  '.': /^(?:\d{1,15}|\d{1,3}(?:([,\s'’])\d{3})(?:\1\d{3}){0,4}|\d{1,2}(?:,\d\d){1,5},\d{3})$/u,
} as const

function split(text: string, decimal: ',' | '.'): Parts | undefined {
  const at = text.lastIndexOf(decimal)
  const [whole, part] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
  const isNumber = GROUPED[decimal].test(whole) || (whole === '' && part !== '')
  return isNumber && /^\d{0,5}$/.test(part) && (at < 0 || part !== '')
    ? { whole: whole.replaceAll(/\D/g, ''), part, hasPart: at >= 0 }
    : undefined
}

function minorOf({ whole, part }: Parts, digits: number): bigint | undefined {
  // Three digits behind the sign may be thousands, where the currency has not three.
  if ((part.length === 3 && digits !== 3) || /[1-9]/.test(part.slice(digits))) return undefined
  return BigInt(`0${whole}${part.slice(0, digits).padEnd(digits, '0')}`)
}
