import { paths } from '#features/paths.ts'

/** The form of a public key of P-256. */
const KEY = `BN${'Tk3v0Qm7ZxR4kRa9L'.repeat(5)}`

/** The example values of fields that tickets, their answers by mail, the bell and the help centre have. */
export const ofSupport: Readonly<Record<string, readonly unknown[]>> = {
  section: ['Servers and licences'],
  excerpt: ['Run the command on the server; the page changes to Connected.'],
  'keywords.en': ['install, agent, token'],
  'keywords.de': ['installieren, Agent, Token'],
  'keywords.ru': ['установка, агент, токен'],
  hours: [[...Array.from({ length: 5 }, () => ({ from: '09:00', to: '17:00' })), null, null]],
  zone: ['Europe/Berlin'],
  word: ['Quick and clear'],
  tags: [['migration']],
  add_tags: [['migration']],
  remove_tags: [['vip']],
  tag: ['migration'],
  ticket_id: ['u0Jm2vQe7ZxT4kRa9LwPcA'],
  from_name: ['Anna Lindqvist'],
  file_names: [['invoice.pdf']],
  chat_id: ['u0Jm2vQe7ZxT4kRa9LwPcA'],
  'acts.snooze': [{ hours: 24 }],
  'changeTicket.snooze': [{ hours: 24 }],
  'listNotifications.facts': [{ number: '1042' }],
  'readNotifications.link': [paths.ticket('u0Jm2vQe7ZxT4kRa9LwPcA')],
  'getPush.public_key': [KEY],
  'subscribePush.public_key': [KEY],
  'unsubscribePush.public_key': [KEY],
  'subscribePush.endpoint': ['https://push.example.com/send/41'],
  'unsubscribePush.endpoint': ['https://push.example.com/send/41'],
  q: ['certificate'],
  until: ['2027-05-04'],
  to: ['2026-05-31'],
  week: ['2026-05-04'],
  p256dh: [KEY],
  auth: ['u0Jm2vQe7ZxT4kRa9LwPcA'],
}
