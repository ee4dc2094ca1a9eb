import { isSource } from './tree.ts'
import type { Rule } from './tree.ts'

const THE_SALE = 'features/sales/server/sale.ts'
const FROM = String.raw` from '[^']*/finance/server/finance\.ts'`

/** Money is charged by the sale alone, which takes it from a payment that has passed the gate (rule 60): a charge beside it would count no limit. */
export const charges: Rule = ({ paths, read }) =>
  paths
    .filter((path) => isSource(path) && path !== THE_SALE && chargesBy(read(path)))
    .map(
      (path) =>
        `${path}: sell by writeSale, whose payment passGate has let through; charge is for ${THE_SALE}.`,
    )

function chargesBy(text: string): boolean {
  if (new RegExp(String.raw`\b(?:import|export) \{[^}]*\bcharge\b[^}]*\}${FROM}`).test(text)) return true
  const [, whole] = new RegExp(String.raw`\bimport \* as (\w+)${FROM}`).exec(text) ?? []
  return whole !== undefined && new RegExp(String.raw`\b${whole}\.charge\b`).test(text)
}
