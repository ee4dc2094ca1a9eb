/** The vouchers of the example shop, with amounts in minor units. Everybody knows their codes, as the passwords of the example people. */
export const vouchers = [
  { code: 'SPRING-25', amount: 25_00n, uses: 1, days: null },
  { code: 'WELCOME-10', amount: 10_00n, uses: 1000, days: null },
  { code: 'HARBOUR-50', amount: 50_00n, uses: 100, days: 90 },
] as const

/** The promo code of the example shop, for a first order and its next two renewals. Everybody knows it. */
export const promo = {
  code: 'HELLO-20',
  percent: 20,
  amount: null,
  editions: null,
  first_order_only: true,
  renewals: 2,
  uses: 500,
  expires_at: null,
  note: 'Launch of the shop',
} as const

/** The codes of the vouchers that nobody redeems in the example history. */
export const redeemable = vouchers.slice(1).map(({ code }) => code)
