import type { Person } from './people.ts'

/** A customer of the example shop who has no password, so that nobody can sign in. These customers are there for their bookings. */
export type Client = Omit<Person, 'password' | 'roles'>

export const henrike: Client = {
  ...addressOf('Am Wall 61', '28195', 'Bremen', 'DE'),
  ...named('Henrike', 'Voss'),
  email: 'henrike.voss@example.org',
  locale: 'de',
  time_zone: 'Europe/Berlin',
  company: 'Voss Papierhandel',
}

export const lukas: Client = {
  ...addressOf('Sporgasse 14', '8010', 'Graz', 'AT'),
  ...named('Lukas', 'Hofer'),
  email: 'lukas.hofer@example.org',
  locale: 'de',
  time_zone: 'Europe/Vienna',
}

export const cem: Client = {
  ...addressOf('Venloer Straße 205', '50823', 'Köln', 'DE'),
  ...named('Cem', 'Yıldırım'),
  email: 'cem.yildirim@example.org',
  locale: 'de',
  time_zone: 'Europe/Berlin',
}

export const paula: Client = {
  ...addressOf('Rosenstraße 3', '18055', 'Rostock', 'DE'),
  ...named('Paula', 'Reimann'),
  email: 'paula.reimann@example.org',
  locale: 'de',
  time_zone: 'Europe/Berlin',
}

export const claire: Client = {
  ...addressOf('18 rue des Capucins', '69001', 'Lyon', 'FR'),
  ...named('Claire', 'Moreau'),
  email: 'claire.moreau@example.org',
  locale: 'en',
  time_zone: 'Europe/Paris',
  company: 'Atelier Moreau SARL',
  vat_id: 'FR00999000111',
}

export const reto: Client = {
  ...addressOf('Länggassstrasse 40', '3012', 'Bern', 'CH'),
  ...named('Reto', 'Amstutz'),
  email: 'reto.amstutz@example.org',
  locale: 'de',
  time_zone: 'Europe/Zurich',
}

export const elin: Client = {
  ...addressOf('Drottninggatan 9', '211 49', 'Malmö', 'SE'),
  ...named('Elin', 'Sundqvist'),
  email: 'elin.sundqvist@example.org',
  locale: 'en',
  time_zone: 'Europe/Stockholm',
}

export const clientele: readonly Client[] = [henrike, lukas, cem, paula, claire, reto, elin]

function addressOf(address: string, zip: string, city: string, country: string) {
  return { address, apartment: '', zip, city, state: '', country, company: '', vat_id: '' }
}

function named(name: string, surname: string) {
  return { name, middle_name: '', surname }
}
