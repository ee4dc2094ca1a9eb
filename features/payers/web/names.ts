import type { Agreement } from '#features/payers/contract.ts'

/** Returns the name of the other side; the address that was asked as long as the name is unknown. */
export const otherSide = ({ account, email }: Agreement): string => account?.name ?? email ?? ''

/** True if the agreement waits for the user's answer: an offer to the user, or servers that an owner added. */
export const waitsForMe = ({ side, asked_by, state, requested_hosts }: Agreement): boolean =>
  state === 'offered' ? asked_by !== side : side === 'payer' && requested_hosts > 0
