import type { Note } from '#features/invoices/shapes.ts'
import { inLanguage } from '#foundation/locale.ts'
import { digitsOf } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { dayIn } from '#features/invoices/rules.ts'
import { exchanged, rateUpTo, type Rate } from './rate-queries.ts'
import { euCountries } from './vat-rates.ts'

/**
 * The currencies in which states outside of the euro area want the VAT of an invoice (rule 54). Sources: VAT directive 2006/112/EC, articles
 * 91 and 230; the currencies of the states by ISO 4217; Bulgaria in the euro area from 1 January 2026 on. CH: MWSTV, article 45. As known
 * in January 2026.
 */
const ownCurrency: Readonly<Record<string, string>> = {
  CH: 'CHF',
  CZ: 'CZK',
  DK: 'DKK',
  HU: 'HUF',
  LI: 'CHF',
  PL: 'PLN',
  RO: 'RON',
  SE: 'SEK',
}

/** Returns the currency in which the seller's state wants the VAT; undefined for a state whose law is not known. */
const stateCurrency = (country: string): string | undefined =>
  ownCurrency[country] ?? (euCountries.includes(country) ? 'EUR' : undefined)

/** Returns the currency in which documents must state their VAT a second time; undefined if they are in that of the state anyway. */
export function secondCurrency(country: string, currency: string): string | undefined {
  const wanted = stateCurrency(country)
  return wanted === currency ? undefined : wanted
}

// The European Central Bank publishes a rate on each working day; between two there are at most five other days.
const MOST_DAYS = 10

/** Returns the rate by which the installation states VAT now; undefined if it is missing, null if none is needed. */
export async function presentRate(app: App, db: App['db'], at: Date): Promise<Rate | undefined | null> {
  const { company, currency: from, timeZone } = app.config
  const to = secondCurrency(company.country, from)
  return to === undefined ? null : rateUpTo(db, { from, to, day: dayIn(at, timeZone), days: MOST_DAYS })
}

/**
 * Returns the note that states the VAT in the currency of the seller's state, with the newest rate (article 91: the rate that was published
 * last when the VAT became due), or with the rate of `original`, whose VAT a document corrects; empty where it is not needed. Throws 503
 * without a rate: an invoice without this amount would be none.
 */
export async function stateVatNotes(
  app: App,
  db: App['db'],
  { vat, at, original }: { vat: bigint; at: Date; original?: readonly Note[] },
): Promise<Note[]> {
  const { company, currency: from } = app.config
  const to = secondCurrency(company.country, from)
  if (vat === 0n || to === undefined) return []
  const known = original?.find(({ code }) => code === 'state_vat')
  const rate = known ? rateIn(known) : await presentRate(app, db, at)
  if (!rate) {
    app.log.error(
      { from, to },
      'no exchange rate of the last days: import the rates, nothing can be invoiced',
    )
    throw new HttpError(503, [{ code: 'unavailable' }], 60)
  }
  const shift = digitsOf(to) - digitsOf(from)
  const amount = await exchanged(db, { amount: vat, rate: rate.rate, shift })
  const { day, source } = rate
  return [
    {
      code: 'state_vat',
      params: { amount: String(amount), currency: to, from, rate: rate.rate, day, source },
    },
  ]
}

/** Returns the rate that a note states. */
function rateIn({ params }: Note): Rate {
  const word = (name: keyof Rate) => inLanguage(params[name], 'en')
  return { rate: word('rate'), day: word('day'), source: word('source') }
}
