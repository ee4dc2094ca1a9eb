import type { addExtra, makeProduct, NewEdition } from '#features/licences/server/licences.ts'

type NewProduct = Parameters<typeof makeProduct>[1]
type NewExtra = Parameters<typeof addExtra>[1]

/** The second product of the demo shop: a program, which counts on machines. */
export const program = {
  slug: 'ferry',
  kind: 'program',
  name: { en: 'Ferry', de: 'Ferry', ru: 'Ferry' },
  description: {
    en: 'Copies folders between your machines on a schedule, encrypted, and picks up where a line broke. For Linux, macOS and Windows.',
    de: 'Kopiert Ordner nach Zeitplan zwischen Ihren Maschinen, verschlüsselt, und macht nach einem Abbruch dort weiter, wo es war. Für Linux, macOS und Windows.',
    ru: 'Копирует папки между вашими компьютерами по расписанию, в зашифрованном виде, и после обрыва связи продолжает с того же места. Для Linux, macOS и Windows.',
  },
} as const satisfies NewProduct

const schedule = {
  en: 'Schedules to the minute, bandwidth by the hour',
  de: 'Zeitpläne auf die Minute, Bandbreite nach Uhrzeit',
  ru: 'Расписание с точностью до минуты, скорость по часам',
}
const encrypted = {
  en: 'Encrypted on the way and at rest, with a key of yours',
  de: 'Verschlüsselt unterwegs und am Ziel, mit Ihrem eigenen Schlüssel',
  ru: 'Шифрование в пути и при хранении, вашим собственным ключом',
}
const reports = {
  en: 'A report each morning of what was copied and what was not',
  de: 'Jeden Morgen ein Bericht, was kopiert wurde und was nicht',
  ru: 'Каждое утро отчёт о том, что скопировано, а что нет',
}
const call = {
  en: 'Help by phone on weekdays',
  de: 'Telefonische Hilfe an Werktagen',
  ru: 'Помощь по телефону в будни',
}

/** The editions of the program. */
export const programEditions = [
  {
    slug: 'ferry-solo',
    product: program.slug,
    name: { en: 'Ferry Solo', de: 'Ferry Solo', ru: 'Ferry Solo' },
    description: {
      en: 'For one person and their two machines.',
      de: 'Für eine Person mit ihren zwei Maschinen.',
      ru: 'Для одного человека и двух его компьютеров.',
    },
    features: [schedule, encrypted],
    rank: 10,
    trial_days: 0,
    entitlements: { machines: 2 },
  },
  {
    slug: 'ferry-team',
    product: program.slug,
    name: { en: 'Ferry Team', de: 'Ferry Team', ru: 'Ferry Team' },
    description: {
      en: 'For an office whose files must be in two places by the morning.',
      de: 'Für Büros, deren Dateien morgens an zwei Orten liegen müssen.',
      ru: 'Для офиса, файлы которого к утру должны лежать в двух местах.',
    },
    features: [schedule, encrypted, reports, call],
    rank: 20,
    trial_days: 0,
    entitlements: { machines: 10, reports: true },
  },
] as const satisfies readonly NewEdition[]

/** The extras of its larger edition: a fee of the first order, storage by quantity, and a course. Prices in minor units before VAT. */
export const extras: readonly NewExtra[] = [
  {
    slug: 'ferry-setup',
    edition: 'ferry-team',
    kind: 'setup',
    name: { en: 'Set up by us', de: 'Einrichtung durch uns', ru: 'Настройка нашими силами' },
    net: 4900n,
    most: 1,
  },
  {
    slug: 'ferry-storage',
    edition: 'ferry-team',
    kind: 'addon',
    name: {
      en: 'Storage with us, 100 GB',
      de: 'Speicherplatz bei uns, 100 GB',
      ru: 'Место в нашем хранилище, 100 ГБ',
    },
    net: 300n,
    most: 20,
  },
  {
    slug: 'ferry-course',
    edition: 'ferry-team',
    kind: 'once',
    name: {
      en: 'Course for your team, two hours',
      de: 'Schulung Ihres Teams, zwei Stunden',
      ru: 'Обучение вашей команды, два часа',
    },
    net: 12_000n,
    most: 1,
  },
]
