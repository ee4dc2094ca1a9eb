import { isSource } from './tree.ts'
import type { Rule } from './tree.ts'

/** The texts that say in which state a thing is. */
const OF_STATES =
  /\bm\.(hosts_(?:(?:not_|never_)?connected|licence_(?:active|expired))|profile_email_(?:un)?verified|customers_state_(?:blocked|locked)|(?:invoices|tickets|announcements|approvals)_status_\w+|catalogue_state_\w+)\b/g

/** Customers and staff read one word for one state, in one colour: each word is taken from one file, with all that shows it. */
export const states: Rule = ({ paths, read }) => {
  const readers = new Map<string, Set<string>>()
  for (const path of paths.filter((one) => isSource(one) && /^features\/.*\.tsx?$/.test(one)))
    for (const [, key = ''] of read(path).matchAll(OF_STATES))
      readers.set(key, (readers.get(key) ?? new Set()).add(path))
  return [...readers]
    .filter(([, files]) => files.size > 1)
    .map(([key, files]) => `${key} is read in ${[...files].join(' and ')}: take the state from one of them.`)
}
