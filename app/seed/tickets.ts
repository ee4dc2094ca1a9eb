import { hostOf, newestHosts } from '#features/hosts/server/hosts.ts'
import { importTicketHistory, type SeededTicket, type TicketSeedEvent } from './ticket-history.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { slowNights } from './long-ticket.ts'
import { keepFiles } from './ticket-files.ts'
import { linesAt, timeBefore, type Ids } from './ticket-events.ts'
import { clientele } from './clientele.ts'
import { insertPastRating, keepPostedMail } from './desk/desk-queries.ts'
import { openTickets } from './desk/open-tickets.ts'
import { ratedTickets } from './desk/rated-tickets.ts'
import { anna, mikhail } from './people.ts'
import { must } from '#foundation/must.ts'
import type { Seeded, Story } from './ticket-story.ts'

/** Adds the tickets of the example customers, in every status and about every topic, the oldest first. */
export async function seedTickets(app: App, tx: Tx, ids: Ids): Promise<Seeded> {
  const now = new Date()
  const lineOf = linesAt(now, ids, await keepFiles(app, tx, ids))
  const told = [...stories, ...openTickets, ...ratedTickets()]
    .map((story) => ({ ...story, told: story.lines(lineOf) }))
    .toSorted((one, other) => must(one.told[0]).at.getTime() - must(other.told[0]).at.getTime())
  const made = new Map<string, SeededTicket>()
  for (const story of told) {
    const ticket = await addTicket(app, tx, story, ids[story.who])
    if (story.key !== undefined) made.set(story.key, ticket)
    if (!story.rated) continue
    const { face, word, ago } = story.rated
    const at = timeBefore(now, ago)
    await insertPastRating(tx, { ticket_id: ticket.id, user_id: ids[story.who], face, word, at })
  }
  return (key) => must(made.get(key))
}

async function addTicket(
  app: App,
  tx: Tx,
  { host, told, subject, topic, priority, unseen, who }: Story & { told: TicketSeedEvent[] },
  customer_id: string,
): Promise<SeededTicket> {
  const named =
    host === undefined
      ? undefined
      : (await newestHosts(tx, customer_id, 50)).find(({ name }) => name === host)
  const known = named && (await hostOf(tx, customer_id, named.id))
  const about = { subject, topic, priority, customer_id, ...(unseen && { unseen }) }
  const on = known && { id: known.id, public_id: known.public_id }
  const ticket = await importTicketHistory(app, tx, { ...about, host: on }, told)
  const { email, name } = must([anna, mikhail, ...clientele].find((person) => person.email.startsWith(who)))
  for (const [place, one] of told.entries()) {
    if (one.kind !== 'comment' || one.quoted === undefined) continue
    await keepPostedMail(tx, {
      ticket_id: ticket.id,
      seq: place + 1,
      user_id: customer_id,
      from: { email, name },
      subject: place === 0 ? subject : `Re: [#${ticket.number}] ${subject}`,
      answer: one.text,
      quoted: one.quoted,
      at: one.at,
    })
  }
  return ticket
}

const stories: readonly Story[] = [
  {
    who: 'anna',
    subject: 'My bank pulled a payment back',
    topic: 'finances_chargeback',
    priority: 'high',
    lines: ({ says, notes, does }) => [
      says(
        'anna',
        '138d 3h',
        'My bank pulled back a card payment of 50 €, because the card was replaced. What happens now? I do not want to lose my servers.',
      ),
      does('jonas', '138d 2h 40m', 'taken'),
      notes('jonas', '138d 2h 35m', 'Card was replaced by the bank; no sign of anything worse.'),
      says(
        'jonas',
        '138d 2h 20m',
        'Nothing is switched off or deleted, and terms that you have already paid for stay valid. Your balance is lower by that amount; while it is negative, nothing new can be ordered. A bank transfer puts that right.',
      ),
      says('anna', '137d 5h', 'I have just sent 120 € by transfer. Thank you for the quick answer!'),
      says('jonas', '137d 1h', 'It has arrived, everything is in order again.'),
      does('anna', '137d 40m', 'closed'),
    ],
  },
  {
    who: 'mikhail',
    subject: 'Спасибо за быструю помощь',
    topic: 'miscellaneous',
    priority: 'very_low',
    lines: ({ says, does }) => [
      says(
        'mikhail',
        '20d 6h',
        'Хочу просто поблагодарить: сервер переехал за вечер, и ни один клиент ничего не заметил.',
      ),
      says('olivia', '20d 5h', 'Спасибо, Михаил! Передам всем, кто помогал. Хорошей работы.'),
      does('olivia', '20d 4h 50m', 'closed'),
    ],
  },
  {
    who: 'mikhail',
    subject: 'Как перенести лицензию на другой сервер?',
    topic: 'technical',
    priority: 'low',
    lines: ({ says, does }) => [
      says('mikhail', '5d 4h', 'Заказал новый сервер. Можно ли перенести на него оплаченную лицензию?'),
      does('jonas', '5d 3h', 'taken'),
      says(
        'jonas',
        '5d 2h 45m',
        'Здравствуйте, Михаил!\n\nДа, для этого достаточно сменить адрес:\n\n1. откройте страницу сервера\n2. выберите **Изменить адрес**\n3. установите агента на новом сервере\n\nЗа 30 дней это можно сделать трижды. Всё получилось?',
      ),
    ],
  },
  {
    who: 'anna',
    subject: 'How was moving the shop?',
    key: 'moving',
    topic: 'review',
    priority: 'low',
    unseen: { customer: 1 },
    lines: ({ says, does }) => [
      says(
        'anna',
        '3d 9h',
        'You asked for a review after the move. In short: **very good**. The only thing that I missed was a list of what to prepare.',
      ),
      does('olivia', '2d 8h 20m', 'taken'),
      says(
        'olivia',
        '2d 8h',
        'Thank you, that is good to hear! We have begun such a list. May we quote your first two sentences on our website, with your name?',
      ),
    ],
  },
  {
    who: 'mikhail',
    subject: 'Не пришёл банковский перевод',
    topic: 'finances',
    priority: 'high',
    unseen: { staff: 1 },
    lines: ({ says, notes, does }) => [
      says('mikhail', '1d 7h', 'Вчера отправил 150 евро, на балансе их пока нет.'),
      does('jonas', '1d 6h 30m', 'taken'),
      notes(
        'jonas',
        '1d 6h 20m',
        'В выписке за сегодня ничего нет. Вероятно, назначение платежа без нашего номера.',
      ),
      says(
        'jonas',
        '1d 6h 10m',
        'Перевод обычно идёт один рабочий день. Пришлите, пожалуйста, назначение платежа: возможно, в нём нет нашего номера.',
      ),
      says('mikhail', '3h 5m', 'Действительно, номера там нет: банк обрезал строку. Что теперь сделать?'),
    ],
  },
  {
    who: 'anna',
    subject: 'Slow every night between two and three',
    key: 'slow',
    topic: 'technical',
    priority: 'medium',
    host: 'harbour-web-01',
    unseen: { staff: 1 },
    lines: slowNights,
  },
  {
    who: 'anna',
    subject: 'Invoice without the name of my company',
    topic: 'finances',
    priority: 'medium',
    lines: ({ says }) => [
      says(
        'anna',
        '2h 12m',
        'I entered my company in the profile only today. Can the invoices of this month be made out to it?',
      ),
    ],
  },
  {
    who: 'mikhail',
    subject: 'Скидка при оплате за год?',
    topic: 'finances_sales',
    priority: 'medium',
    lines: ({ says }) => [
      says('mikhail', '26m', 'Если сразу оплатить три сервера на год, можно ли рассчитывать на скидку?'),
    ],
  },
  {
    who: 'mikhail',
    subject: 'Агент не подключается после переезда',
    topic: 'technical',
    priority: 'critical',
    lines: ({ says }) => [
      says(
        'mikhail',
        '8m',
        'После переезда с сервером нет связи. В журнале агента:\n\n```\ncheck-in refused: 401\n```\n\nТокен я не менял. Магазин работает, но до вечера нужно разобраться.',
      ),
      says('mikhail', '6m', 'Попробовал перезапустить, не помогло.'),
    ],
  },
]
