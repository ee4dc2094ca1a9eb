import { isSource } from './tree.ts'
import type { Rule } from './tree.ts'

const PRODUCT =
  /\b(?:invoices?|licen[cs]es?|tickets?|vouchers?|stripe|vat|top_?ups?|refunds?|credit_?notes?|renewals?)\b/i

// These files name the parts of the API to which calls belong, and the rate limits of calls.
const MAY = ['foundation/contract.ts', 'foundation/server/limits/limits.ts']

/** The foundation knows no product: what is sold and supported is named in features and app only. Comments may give examples. */
export const noProductWords: Rule = ({ paths, read }) =>
  paths
    .filter((path) => path.startsWith('foundation/') && !MAY.includes(path))
    .filter((path) => isSource(path) || path.endsWith('/en.json'))
    .flatMap((path) =>
      read(path)
        .split('\n')
        .flatMap((line, index) => {
          const found = /^\s*(?:\*|\/\/|\/\*)/.test(line) ? undefined : PRODUCT.exec(line)?.[0]
          return found
            ? [`${path}:${index + 1} says ${found}: the foundation knows no product, move it to the feature.`]
            : []
        }),
    )
