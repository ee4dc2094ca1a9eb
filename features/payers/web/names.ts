import type { Agreement } from '#features/payers/contract.ts'

/** The other side: by name where it is known, else by the address that was asked. */
export const otherSide = ({ account, email }: Agreement): string => account?.name ?? email ?? ''

/** True if the agreement waits for one's own answer: an offer to oneself, or servers that an owner added. */
export const waitsForMe = ({ side, asked_by, state, requested_hosts }: Agreement): boolean =>
  state === 'offered' ? asked_by !== side : side === 'payer' && requested_hosts > 0
