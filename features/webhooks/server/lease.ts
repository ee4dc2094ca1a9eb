/** The lease of a lane: longer than an attempt takes, which ends after 15 s. */
export const LEASE_s = 30
