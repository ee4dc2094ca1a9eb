import type { Figures } from '#foundation/server/operation/figures.ts'
import { countByState } from './received-queries.ts'

export const figures: Figures = {
  metrics: {
    hostdesk_received_mails: {
      help: 'Mails that came in, by what became of them and why.',
      label: 'outcome',
    },
  },
  read: async (db) =>
    (await countByState(db)).map(({ state, reason, count }) => ({
      metric: 'hostdesk_received_mails',
      label: reason === '' ? state : `${state}:${reason}`,
      value: count,
    })),
}
