/** Vouchers of the example shop, in minor units. Their codes are known to everybody, as the passwords of its people are. */
export const vouchers = [
  { code: 'SPRING-25', amount: 25_00n, uses: 1, days: null },
  { code: 'WELCOME-10', amount: 10_00n, uses: 1000, days: null },
  { code: 'HARBOUR-50', amount: 50_00n, uses: 100, days: 90 },
] as const

/** The codes that nobody has redeemed yet. */
export const redeemable = vouchers.slice(1).map(({ code }) => code)
