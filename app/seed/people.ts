import type { Locale } from '#foundation/locale.ts'
import type { Role } from '#foundation/roles.ts'

/**
 * One of the four example people, whom demo data, tests, screenshots and README all use. Everybody knows their passwords, so
 * production refuses demo data. The customers of `clientele.ts` have no passwords.
 */
export type Person = {
  email: string
  password: string
  roles: readonly Role[]
  locale: Locale
  time_zone: string
  name: string
  middle_name: string
  surname: string
  country: string
  address: string
  apartment: string
  zip: string
  city: string
  state: string
  company: string
  vat_id: string
}

export const anna: Person = {
  email: 'anna@example.com',
  password: 'lively-otter-42',
  roles: [],
  locale: 'en',
  time_zone: 'Europe/Berlin',
  name: 'Anna',
  middle_name: '',
  surname: 'Berger',
  country: 'DE',
  address: 'Lindenweg 7',
  apartment: '3 OG',
  zip: '22085',
  city: 'Hamburg',
  state: 'Hamburg',
  company: '',
  vat_id: '',
}

export const mikhail: Person = {
  email: 'mikhail@example.com',
  password: 'quiet-harbour-77',
  roles: [],
  locale: 'ru',
  time_zone: 'Europe/Riga',
  name: 'Михаил',
  middle_name: 'Андреевич',
  surname: 'Соколов',
  country: 'LV',
  address: 'Brīvības iela 118',
  apartment: '24',
  zip: 'LV-1001',
  city: 'Rīga',
  state: '',
  company: 'SIA Daugavas serveri',
  vat_id: 'LV40203517702',
}

export const olivia: Person = {
  email: 'olivia@example.com',
  password: 'steady-lantern-19',
  roles: ['owner'],
  locale: 'en',
  time_zone: 'Europe/Dublin',
  name: 'Olivia',
  middle_name: '',
  surname: 'Grant',
  country: 'IE',
  address: '12 Quay Street',
  apartment: '',
  zip: 'H91 X2N4',
  city: 'Galway',
  state: '',
  company: '',
  vat_id: '',
}

export const jonas: Person = {
  email: 'jonas@example.com',
  password: 'patient-anchor-58',
  roles: ['support'],
  locale: 'de',
  time_zone: 'Europe/Vienna',
  name: 'Jonas',
  middle_name: '',
  surname: 'Keller',
  country: 'AT',
  address: 'Mariahilfer Straße 90',
  apartment: 'Top 5',
  zip: '1070',
  city: 'Wien',
  state: 'Wien',
  company: '',
  vat_id: '',
}

export const people: readonly Person[] = [anna, mikhail, olivia, jonas]
