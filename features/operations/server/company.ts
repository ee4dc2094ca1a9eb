import type * as z from 'zod/mini'
import type { App } from '#foundation/server/app.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { logoAddress } from '#foundation/server/http/white-label.ts'
import {
  newestVersions,
  presentVersions,
  takeKeptSettings,
} from '#foundation/server/kept-settings/kept-settings.ts'
import { changedTo } from '#foundation/versions.ts'
import { bankAccountIn, isIban } from '#features/finance/server/finance.ts'
import * as contract from '#features/operations/company-contract.ts'
import { companyFieldNames, companyFields, ofEachCompanyField } from '#features/operations/company-fields.ts'
import { countryCodes, isVatId } from '#features/profile/rules.ts'
import { historyOf } from './company-history.ts'
import { exampleMails } from './mail-example.ts'
import { keepSection, type By } from './keep-section.ts'

/** Answers `GET /api/staff/company/`. */
export const readCompany = handler(contract.readCompany, async ({ app }) => {
  const [seller, versions] = await Promise.all([
    presentSeller(app),
    newestVersions(app.db, contract.sections, MOST),
  ])
  return {
    status: 200,
    body: { ...seller, mails: exampleMails(app), history: await historyOf(app, versions, contract.sections) },
  }
})

const MOST = 200

/** Answers `PATCH /api/staff/company/`. */
export const changeCompany = handler(contract.changeCompany, async ({ app, actor, caller, body }) => {
  const isKept = await keepCompany(app, { by: actor.user_id, caller }, body)
  const { company } = await presentSeller(app)
  return isKept ? { status: 200, body: company } : changedTo(company)
})

/** Changes the named data of the seller. Returns false if the version is stale. Throws 400 for what cannot be. */
export async function keepCompany(
  app: App,
  by: By,
  { version, ...changes }: CompanyChange,
): Promise<boolean> {
  const { company } = await presentSeller(app)
  assertWhole(ofEachCompanyField((name) => changes[name] ?? company[name]))
  const settings = Object.fromEntries(
    companyFieldNames.flatMap((name) => {
      const { [name]: value } = changes
      return value === undefined ? [] : [[companyFields[name].setting, value]]
    }),
  )
  return keepSection(app, by, { section: 'company', version: version ?? company.version, settings })
}

type CompanyChange = z.output<typeof contract.changeCompany.body>
type BankChange = z.output<typeof contract.changeBank.body>

/** Throws 400 for a seller whose invoices would not be valid (VAT directive, article 226). */
function assertWhole(company: Omit<contract.CompanyData, 'version'>): void {
  const lacking = companyFieldNames.find(
    (name) => 'isRequired' in companyFields[name] && company[name] === '',
  )
  if (lacking !== undefined) throw badRequest('required', lacking)
  if (company.vat_id === '' && company.tax_number === '') throw badRequest('required', 'vat_id')
  if (company.vat_id !== '' && !isVatId(company.vat_id)) throw badRequest('invalid_vat_id', 'vat_id')
  if (!countryCodes.includes(company.country)) throw badRequest('unknown_country', 'country')
}

/** Answers `PATCH /api/staff/company/bank/`. */
export const changeBank = handler(contract.changeBank, async ({ app, actor, caller, body }) => {
  const isKept = await keepBank(app, { by: actor.user_id, caller }, body)
  const { bank } = await presentSeller(app)
  return isKept ? { status: 200, body: bank } : changedTo(bank)
})

/** Changes the bank account. Returns false if the version is stale. Throws 400 for one that does not exist. */
export async function keepBank(app: App, by: By, change: BankChange): Promise<boolean> {
  const { bank } = await presentSeller(app)
  const { version = bank.version, holder = bank.holder, iban = bank.iban, bic = bank.bic } = change
  if (!isIban(iban)) throw badRequest('invalid_iban', 'iban')
  const account = [holder, iban, ...(bic === '' ? [] : [bic])].join(', ')
  const read = bankAccountIn(account)
  // Banking apps read the account out of one text: a name with a comma in it would be another name there.
  if (read?.name !== holder) throw badRequest('invalid', 'holder')
  if (read.bic !== bic) throw badRequest('invalid', 'bic')
  const settings = { BANK_ACCOUNT: account, COMPANY_IBAN: iban, COMPANY_BIC: bic }
  return keepSection(app, by, { section: 'bank', version, settings })
}

/** Returns the seller as it is now, also where another process has changed it a moment ago. */
export async function presentSeller(app: App): Promise<Omit<contract.CompanyPage, 'mails' | 'history'>> {
  await takeKeptSettings(app.config, app.db)
  const { mailClosing } = app.config.operator
  const versions = await presentVersions(app.db)
  const versionOf = (section: contract.Section) =>
    versions.find((kept) => kept.section === section)?.version ?? 1
  return {
    company: { version: versionOf('company'), ...companyOf(app) },
    bank: { version: versionOf('bank'), ...bankOf(app) },
    example: isExample(app) ? sellerOf(app) : null,
    words: {
      version: versionOf('words'),
      closing_en: mailClosing.en ?? '',
      closing_de: mailClosing.de ?? '',
      closing_ru: mailClosing.ru ?? '',
    },
    logo: { version: versionOf('logo'), image: logoAddress(app.config.operator) ?? null },
  }
}

/** True while documents carry a made-up company; in production there is none. */
const isExample = ({ config: { company } }: App): boolean => company.isMadeUp && company.name !== ''

function sellerOf({ config: { company } }: App) {
  const { name, street, zip, city, vatId, taxNumber, register, email, phone } = company
  return { name, street, zip, city, vat_id: vatId, tax_number: taxNumber, register, email, phone }
}

/** The data of a made-up company are none of the operator's, and nobody should save them as theirs. */
function companyOf(app: App): Omit<contract.CompanyData, 'version'> {
  const { company, operator } = app.config
  const own = sellerOf(app)
  const nothing = Object.fromEntries(Object.keys(own).map((field) => [field, '']))
  return {
    ...own,
    ...(company.isMadeUp && nothing),
    country: company.country,
    operator_name: operator.name,
    support_email: operator.supportEmail ?? '',
    imprint_url: operator.imprintUrl ?? '',
    privacy_url: operator.privacyUrl ?? '',
    terms_url: operator.termsUrl ?? '',
  }
}

function bankOf({ config: { bankAccount } }: App): Omit<contract.BankData, 'version'> {
  const { name: holder, iban, bic } = bankAccountIn(bankAccount) ?? { name: bankAccount, iban: '', bic: '' }
  return { holder, iban, bic }
}
