import { handler } from '#foundation/server/http/handler.ts'
import * as contract from '#features/profile/contract.ts'
import { countryCodes, languages } from '#features/profile/rules.ts'

export const listLanguages = handler(contract.listLanguages, async () => ({
  status: 200,
  body: [...languages],
}))

const englishNames = new Intl.DisplayNames('en', { type: 'region' })
const countries = countryCodes.map((code) => ({ code, name: englishNames.of(code) ?? code }))

export const listCountries = handler(contract.listCountries, async () => ({ status: 200, body: countries }))
