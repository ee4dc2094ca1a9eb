/** The most servers that one agreement may name; more servers need an agreement for all servers. */
export const MOST_HOSTS = 500

/** The most open and active agreements of one owner, and of one payer. */
export const MOST_AGREEMENTS = { owner: 50, payer: 500 } as const

/** The sides of an agreement. */
export const sides = ['owner', 'payer'] as const
export type Side = (typeof sides)[number]
