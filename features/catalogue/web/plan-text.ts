import type { CataloguePlan } from '#features/catalogue/contract.ts'
import { formatTerm } from '#foundation/web/i18n/format.ts'
import { currentLocale } from '#foundation/web/i18n/locale.ts'

/** Returns the name of a plan with its term, like 'Starter (1 month)', because several plans may share a name. */
export const planText = ({ name, term }: CataloguePlan): string =>
  `${name[currentLocale()]} (${formatTerm(term)})`
