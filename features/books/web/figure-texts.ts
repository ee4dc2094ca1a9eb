import { decimalText, fractionOf, type Money } from '#foundation/money.ts'
import { currentLocale } from '#foundation/web/i18n/locale.ts'
import { currentDateLocale, formatMonth } from '#foundation/web/i18n/format.ts'

// The middle of a month is in the same month in every time zone.
const middleOf = (month: string): Date => new Date(`${month}-15T12:00:00Z`)

/** 'November 2026'. */
export const monthText = (month: string): string => formatMonth(middleOf(month))

/** 'Nov 26', for an axis. */
export const shortMonth = (month: string): string =>
  new Intl.DateTimeFormat(currentDateLocale(), { month: 'short', year: '2-digit', timeZone: 'UTC' }).format(
    middleOf(month),
  )

/** '€1.2K', for an axis. */
const shortMoney = (value: number, currency: string, locale: string): string =>
  new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    notation: 'compact',
    minimumFractionDigits: 0,
    maximumFractionDigits: 1,
  })
    .format(value)
    .replace('-', '\u{2212}')

/** '4.2%'. */
export const shareText = (percent: number, locale: string = currentLocale()): string =>
  new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(percent / 100)

/** Returns an amount as the number that a plot draws; 0 for none. */
export const heightOf = (money: Money | undefined): number => {
  const text = money ? decimalText(money) : '0'
  return Number(text)
}

/** Returns writers for the values of a plot: `write` to the smallest unit of the currency, `writeTick` in short form for an axis. */
export const moneyWriters = (currency: string, locale: string) => ({
  write: (value: number) =>
    new Intl.NumberFormat(locale, { style: 'currency', currency, ...fractionOf(currency) })
      .format(value)
      .replace('-', '\u{2212}'),
  writeTick: (value: number) => shortMoney(value, currency, locale),
})
