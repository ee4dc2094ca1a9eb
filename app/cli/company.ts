import * as z from 'zod/mini'
import { changeBank, changeCompany } from '#features/operations/company-contract.ts'
import { keepBank, keepCompany, presentSeller } from '#features/operations/server/operations.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { Refused } from '#foundation/server/operator-errors.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import { readJson } from './json-file.ts'
import { withApp } from './with-app.ts'

/** `company show`; with `--json` in the form that `company set` reads. */
export const showCompany = (surroundings: CommandEnvironment): Promise<Answer> =>
  withApp(surroundings, async (app) => {
    const { company, bank } = await presentSeller(app)
    const { version: _company, ...data } = company
    const { version: _bank, ...account } = bank
    const shown = { ...data, ...account }
    return {
      lines: Object.entries(shown).map(([name, value]) => `${name}: ${value || 'not set'}`),
      data: shown,
    }
  })

const given = z.strictObject({
  ...z.omit(changeCompany.body, { version: true }).shape,
  ...z.omit(changeBank.body, { version: true }).shape,
})

/** `company set FILE`. Throws WrongUse if the file holds no such fields, Refused if they do not go together. */
export const setCompany = (surroundings: CommandEnvironment, file: string): Promise<Answer> =>
  withApp(surroundings, async (app) => {
    const { holder, iban, bic, ...company } = await readJson(file, given, 'company')
    const cli = { by: null, caller: null }
    try {
      if (Object.keys(company).length > 0) await keepCompany(app, cli, company)
      if ([holder, iban, bic].some((value) => value !== undefined))
        await keepBank(app, cli, { holder, iban, bic })
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
      const reasons = error.errors.map(({ code, param = '' }) => `${param}: ${code}`)
      throw new Refused(`The company stays as it is. ${reasons.join(', ')}.`)
    }
    return { lines: ['The company is changed. Running processes go by it within a second.'], data: {} }
  })
