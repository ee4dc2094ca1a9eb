/** Servers that one agreement names; who asks for more asks for all. */
export const MOST_HOSTS = 500

/** Open and active agreements of one owner, and of one payer. */
export const MOST_AGREEMENTS = { owner: 50, payer: 500 } as const

/** The sides of an agreement. */
export const sides = ['owner', 'payer'] as const
export type Side = (typeof sides)[number]
