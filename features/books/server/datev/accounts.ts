/**
 * The accounts that the postings need. `home` to `outside` are automatic ones: the tax adviser's program takes the VAT out of the gross amount.
 */
export const accountNames = [
  'prepaid',
  'clearing',
  'promotion',
  'home',
  'oss',
  'reverse_charge',
  'outside',
  'small_business',
] as const
export type AccountName = (typeof accountNames)[number]
export type Accounts = Readonly<Record<AccountName, string>>

export const charts = ['SKR03', 'SKR04'] as const
type Chart = (typeof charts)[number]

/** The default account numbers of each chart, which the tax adviser has to confirm. */
export const usualAccounts: Readonly<Record<Chart, Accounts>> = {
  SKR03: {
    prepaid: '1710',
    clearing: '1360',
    promotion: '4600',
    home: '8400',
    oss: '8331',
    reverse_charge: '8336',
    outside: '8338',
    small_business: '8195',
  },
  SKR04: {
    prepaid: '3250',
    clearing: '1460',
    promotion: '6600',
    home: '4400',
    oss: '4331',
    reverse_charge: '4336',
    outside: '4338',
    small_business: '4185',
  },
}

/** The numbers of the tax adviser's office and of this client, their chart of accounts, and the accounts. */
export type Datev = { adviser: string; client: string; chart: Chart; accounts: Accounts }
