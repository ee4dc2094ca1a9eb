import type { Figures } from '#foundation/server/operation/figures.ts'
import { countPending } from './top-up-queries.ts'

/** Counts top-ups that wait for their payment; a bank transfer waits for a member of staff to confirm it. */
export const figures: Figures = {
  metrics: {
    hostdesk_top_ups_waiting: { help: 'Top-ups that wait for their payment.', label: 'provider' },
    hostdesk_top_ups_oldest_seconds: { help: 'Age of the oldest of them.', label: 'provider' },
  },
  read: async (db) =>
    (await countPending(db)).flatMap(({ provider, count, oldest_s }) => [
      { metric: 'hostdesk_top_ups_waiting', label: provider, value: count },
      { metric: 'hostdesk_top_ups_oldest_seconds', label: provider, value: oldest_s },
    ]),
}
