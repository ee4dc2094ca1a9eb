import type { NewEdition } from '#features/licences/server/licences.ts'

const ticket = {
  en: 'Answers to tickets on weekdays',
  de: 'Antwort auf Tickets an Werktagen',
  ru: 'Ответы на обращения по будням',
}
const charts = {
  en: '30 days of load, memory and disk charts',
  de: '30 Tage Verlauf von Last, Arbeitsspeicher und Festplatte',
  ru: 'Графики нагрузки, памяти и диска за 30 дней',
}
const chat = {
  en: 'First reply within two hours, weekends too',
  de: 'Erste Antwort in zwei Stunden, auch am Wochenende',
  ru: 'Первый ответ за два часа, в том числе в выходные',
}
const backups = {
  en: 'Nightly backups, kept for two weeks',
  de: 'Nächtliche Backups, zwei Wochen aufbewahrt',
  ru: 'Ночные резервные копии, хранятся две недели',
}
const engineer = {
  en: 'An engineer you know by name',
  de: 'Ein fester Ansprechpartner aus der Technik',
  ru: 'Персональный инженер, которого вы знаете по имени',
}
const restore = {
  en: 'We restore a lost server while you sleep',
  de: 'Wir stellen einen ausgefallenen Server wieder her, während Sie schlafen',
  ru: 'Мы восстановим упавший сервер, пока вы спите',
}

/** The editions of the demo shop. */
export const editions = [
  {
    slug: 'starter',
    name: { en: 'Starter', de: 'Starter', ru: 'Старт' },
    description: {
      en: 'For a first website, a chat bot or a weekend project.',
      de: 'Für die erste Website, einen Chatbot oder ein Wochenendprojekt.',
      ru: 'Для первого сайта, чат-бота или проекта на выходные.',
    },
    features: [charts, ticket],
    rank: 10,
    trial_days: 0,
    entitlements: { machines: 1 },
  },
  {
    slug: 'standard',
    name: { en: 'Standard', de: 'Standard', ru: 'Стандарт' },
    description: {
      en: 'For shops and teams whose customers notice an outage.',
      de: 'Für Shops und Teams, deren Kunden einen Ausfall bemerken.',
      ru: 'Для магазинов и команд, чьи клиенты заметят простой.',
    },
    features: [charts, ticket, backups, chat],
    rank: 20,
    trial_days: 0,
    entitlements: { machines: 2, 'backups.nightly': true },
  },
  {
    slug: 'business',
    name: { en: 'Business', de: 'Business', ru: 'Бизнес' },
    description: {
      en: 'For companies that earn their living on this server.',
      de: 'Für Unternehmen, deren Geschäft auf diesem Server läuft.',
      ru: 'Для компаний, чей доход зависит от этого сервера.',
    },
    features: [charts, ticket, backups, chat, engineer, restore],
    rank: 30,
    trial_days: 14,
    entitlements: { machines: 10, 'backups.nightly': true, 'support.tier': 'named' },
  },
] as const satisfies readonly NewEdition[]
