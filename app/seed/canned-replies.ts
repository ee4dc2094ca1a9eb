import type { ReplyFields } from '#features/support/desk/server/reply-queries.ts'

/** Canned replies of the demo staff; those with acts are macros. */
export const cannedReplies = [
  {
    language: 'en',
    title: 'Hello',
    text: 'Hello {customer},\n\nthank you for your message. \n\nKind regards\n{me}',
  },
  {
    language: 'en',
    title: 'Restart the agent',
    text: 'Please restart the agent and wait for half a minute:\n\n```\nsudo systemctl restart hostdesk-agent\n```',
  },
  {
    language: 'en',
    title: 'Reference of a transfer',
    text: 'The payment cannot be matched without its reference. Please send us the date, the amount and the name of the account holder.',
  },
  {
    language: 'de',
    title: 'Begrüßung',
    text: 'Guten Tag {customer},\n\nvielen Dank für Ihre Nachricht. \n\nFreundliche Grüße\n{me}',
  },
  {
    language: 'de',
    title: 'Agent neu starten',
    text: 'Bitte starten Sie den Agenten neu und warten Sie eine halbe Minute:\n\n```\nsudo systemctl restart hostdesk-agent\n```',
  },
  {
    language: 'ru',
    title: 'Приветствие',
    text: 'Здравствуйте, {customer}!\n\nСпасибо за обращение. \n\nС уважением,\n{me}',
  },
  {
    language: 'ru',
    title: 'Перезапустить агента',
    text: 'Перезапустите, пожалуйста, агента и подождите полминуты:\n\n```\nsudo systemctl restart hostdesk-agent\n```',
  },
  {
    language: 'en',
    title: 'Nothing heard: close',
    text: 'We have not heard from you, so we close this ticket. Just answer and it opens again.\n\nKind regards\n{me}',
    acts: { status: 'closed', add_tags: ['no answer'] },
  },
  {
    language: 'de',
    title: 'Störung: wir melden uns',
    text: 'Guten Tag {customer},\n\nwir kennen die Störung und melden uns, sobald sie behoben ist.\n\nFreundliche Grüße\n{me}',
    acts: { priority: 'high', add_tags: ['outage'], assignee: 'me', snooze: { hours: 3 } },
  },
  {
    language: 'ru',
    title: 'Ждём платёж',
    text: 'Здравствуйте, {customer}!\n\nКак только перевод придёт, мы напишем.\n\nС уважением,\n{me}',
    acts: { topic: 'finances', add_tags: ['payment'], snooze: {} },
  },
] satisfies readonly ReplyFields[]
