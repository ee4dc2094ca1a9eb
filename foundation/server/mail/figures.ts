import type { Figures } from '#foundation/server/operation/figures.ts'
import { countMails, oldestMail_s } from './queries.ts'

export const mailFigures: Figures = {
  metrics: {
    hostdesk_mails_owed: { help: 'Mails that wait to be sent.' },
    hostdesk_mails_oldest_seconds: { help: 'Age of the oldest mail that waits to be sent.' },
    hostdesk_mails_dead: { help: 'Mails that were given up.' },
  },
  read: async (db) => [
    { metric: 'hostdesk_mails_owed', value: await countMails({ db }, 'owed') },
    { metric: 'hostdesk_mails_oldest_seconds', value: await oldestMail_s(db) },
    { metric: 'hostdesk_mails_dead', value: await countMails({ db }, 'dead') },
  ],
}
