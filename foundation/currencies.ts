/**
 * The digits behind the point of each currency (rule 54). Source: ISO 4217, list one, as published by its maintenance agency SIX on 1 January
 * 2026, without funds codes, metals and test codes. `Intl` must not be asked: it knows how prices are written, not what the minor unit
 * is, and browsers differ.
 */
const listOne: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  2:
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE CZK DKK DOP DZD ' +
    'EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL ' +
    'MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR ' +
    'SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VES WST XCD XCG YER ZAR ZMW ZWG',
  3: 'BHD IQD JOD KWD LYD OMR TND',
}

// ISO 4217, list three, of the same day: withdrawn since 2014. Old documents and bank statements still name them.
const withdrawn: Readonly<Record<number, string>> = {
  0: 'BYR',
  2: 'ANG BGN CUC HRK LTL LVL MRO SLL STD VEF ZWL',
}

const digitsIn = (lists: Readonly<Record<number, string>>): Map<string, number> =>
  new Map(
    Object.entries(lists).flatMap(([digits, codes]) =>
      codes.split(' ').map((code): [string, number] => [code, Number(digits)]),
    ),
  )

const current = digitsIn(listOne)
const known = new Map([...digitsIn(withdrawn), ...current])

/** The codes of the currencies in which an installation can sell. */
export const currencies: readonly string[] = [...current.keys()]

/** Returns the number of digits behind the point of a currency: 2 for euros, 0 for yen; undefined for a currency that the table lacks. */
export const knownDigits = (currency: string): number | undefined => known.get(currency)
