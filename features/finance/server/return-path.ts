import { paths } from '#features/paths.ts'
import type { TopUpRow } from './top-up-queries.ts'

/** The page to which a customer comes back from the page of a provider. */
export const returnPath = ({ public_id }: Pick<TopUpRow, 'public_id'>): string =>
  paths.finances({ top_up: public_id })
