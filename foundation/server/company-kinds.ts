import { kind } from './setting-kinds.ts'

/** Kinds of settings that only the operator's company has. */

export const country = () =>
  kind('is no country code. Set it like DE', (given) => (/^[A-Z]{2}$/.test(given) ? given : undefined))

export const vatId = () =>
  kind('is no VAT id. Set it like DE123456789', (given) => {
    const plain = given.toUpperCase().replaceAll(/[\s.-]/g, '')
    return plain === '' || /^[A-Z]{2}[A-Z\d+*]{2,28}$/.test(plain) ? plain : undefined
  })

export const timeZone = () =>
  kind('is no time zone. Set it like Europe/Berlin', (given) => {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: given }).resolvedOptions().timeZone
    } catch {
      return undefined
    }
  })

export const invoicePrefix = () =>
  kind('is no prefix. Set it to 1 to 8 capital letters and digits, like HD', (given) =>
    /^[A-Z\d]{1,8}$/.test(given) ? given : undefined,
  )

/** Rates in basis points by country: `DE=19,CH=8.1` is 1900n and 810n. */
export const vatRates = () =>
  kind('is no list of rates. Set it like DE=19,CH=8.1', (given) => {
    const rates = new Map<string, bigint>()
    for (const entry of given.split(',')) {
      const [, code, percent, hundredths = ''] =
        /^([A-Z]{2})=(\d{1,2})(?:\.(\d{1,2}))?$/.exec(entry.trim()) ?? []
      if (!code || !percent) return undefined
      rates.set(code, BigInt(percent + hundredths.padEnd(2, '0')))
    }
    return rates
  })
