/**
 * The values that a ticket may hold. They are apart from rules.ts, because the frame of all pages loads the contracts, which need only the
 * values.
 */

export const statuses = ['opened', 'pending', 'in-progress', 'closed'] as const
export type Status = (typeof statuses)[number]

/** From the most to the least urgent. */
export const priorities = ['critical', 'high', 'medium', 'low', 'very_low'] as const
export type Priority = (typeof priorities)[number]

export const topics = [
  'technical',
  'finances',
  'finances_sales',
  'finances_chargeback',
  'miscellaneous',
  'review',
] as const
export type Topic = (typeof topics)[number]

export const customerTabs = { open: ['opened', 'in-progress', 'pending'], closed: ['closed'] } as const
export const staffTabs = {
  incoming: ['opened'],
  processing: ['in-progress'],
  waiting: ['pending'],
  closed: ['closed'],
  spam: ['closed'],
  snoozed: ['opened', 'in-progress', 'pending'],
} as const

export const lengths = { subject: 200, message: 20_000, secret: 4000, attachments: 10 } as const
