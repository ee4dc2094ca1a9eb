import type { FeatureValues } from '#foundation/server/feature-settings.ts'
import { optional, setting } from '#foundation/server/setting.ts'
import { choice, kind } from '#foundation/server/setting-kinds.ts'
import { digitsOf } from '#foundation/money.ts'
import { accountNames, charts, usualAccounts, type Accounts, type Datev } from './datev/accounts.ts'

const numbers = () =>
  kind('is no adviser and client. Set it like 29098/55003', (given) => {
    const [, adviser, client] = /^(\d{4,7})\/(\d{1,5})$/.exec(given.trim()) ?? []
    return adviser && client && Number(adviser) >= 1001 && Number(client) >= 1
      ? { adviser, client }
      : undefined
  })

const accounts = () =>
  kind(
    `is no list of accounts of 4 to 8 digits. Set it like prepaid:1710,oss:8331; the names are ${accountNames.join(', ')}`,
    (given) => {
      const own = new Map<string, string>()
      for (const part of given.split(',')) {
        const [, name = '', number] = /^\s*(\w+)\s*:\s*(\d{4,8})\s*$/.exec(part) ?? []
        if (!number || !accountNames.some((known) => known === name) || own.has(name)) return undefined
        own.set(name, number)
      }
      return own
    },
  )

const settings = {
  DATEV: optional("Your tax adviser's numbers of their office and of you, for DATEV files.", numbers()),
  DATEV_CHART: setting('The chart of accounts that your tax adviser uses.', choice(...charts), 'SKR03'),
  DATEV_ACCOUNTS: optional('Accounts that differ from the usual ones of this chart.', accounts()),
}

type Values = FeatureValues<typeof settings> & { CURRENCY: string }

declare module '#foundation/server/config.ts' {
  // eslint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface FeatureConfig {
    /** The settings of DATEV files; undefined where there are none. */
    datev: Datev | undefined
  }
}

/** The settings of the files for DATEV, the tax adviser's program. */
export const booksSettings = {
  settings,
  read: (values: Values, production: boolean) => ({ datev: datevOf(values, production) }),
  impossible: impossibleAccounts,
}

// The numbers from DATEV's own example, which are used outside production.
const example = { adviser: '29098', client: '55003' }

function datevOf(values: Values, production: boolean): Datev | undefined {
  const own = values.DATEV ?? (production || digitsOf(values.CURRENCY) > 2 ? undefined : example)
  return own && { ...own, chart: values.DATEV_CHART, accounts: accountsOf(values) }
}

const accountsOf = ({ DATEV_CHART, DATEV_ACCOUNTS }: Values): Accounts => ({
  ...usualAccounts[DATEV_CHART],
  ...Object.fromEntries(DATEV_ACCOUNTS ?? []),
})

function* impossibleAccounts(values: Values): Generator<string> {
  const lengths = new Set(Object.values(accountsOf(values)).map((number) => number.length))
  if (lengths.size > 1)
    yield 'DATEV_ACCOUNTS leaves accounts of different lengths. Set all of them with the number of digits that your tax adviser uses.'
  if (values.DATEV && digitsOf(values.CURRENCY) > 2)
    yield `DATEV writes two digits behind the comma, and ${values.CURRENCY} has ${digitsOf(values.CURRENCY)}. Remove DATEV.`
}
