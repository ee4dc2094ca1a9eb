/** The lease of a lane: longer than an attempt takes, which ends after 15 s. */
export const LEASE_s = 30

/** A lease that ends sooner is renewed before an attempt begins. */
export const LEAST_LEFT_s = 20
