import { inFile, type Mutant } from './mutant.ts'

const sold = ['features/sales/server/extras.test.ts']
const catalogue = ['features/catalogue/server/extras.test.ts']

/** Mutants of extras of editions: how many, at whose price, and fees once (decision 207). */
export const extras: readonly Mutant[] = [
  ...inFile('features/licences/server/extra-prices.ts', sold, [
    [
      'if (quantity > Math.max(offered?.most',
      'if (false && quantity > Math.max(offered?.most',
      'so many pieces',
    ],
    ['Math.max(offered?.most ?? 0, kept?.quantity ?? 0))', '(offered?.most ?? 0))', 'what one has may stay'],
    [
      'const agreed = kept ?? (offered && asAgreed(offered))',
      'const agreed = (offered && asAgreed(offered)) ?? kept',
      'what was agreed stays the price',
    ],
    ["slug === extra && kind !== 'setup')", 'slug === extra)', 'a fee is chosen by nobody'],
    ['(!isNew && (await hasHad(db, host_id, plan.edition)))', 'false', 'a fee is paid once'],
    ["(extras ?? []).filter(({ kind }) => kind === 'addon')", '(extras ?? [])', 'a one-off is no add-on'],
    ["kind === 'addon' ? 0n :", 'false ? 0n :', 'an add-on is for time'],
    ['host?.extras_at_end ?? addonsOf', 'addonsOf', 'a choice for the end counts'],
  ]),
  ...inFile('features/sales/server/purchase.ts', sold, [
    ['const setups = automatic ? []', 'const setups = false ? []', 'no fee comes without anybody there'],
  ]),
  ...inFile('features/sales/server/choose-extras.ts', sold, [
    [
      'if (!isSameMoney(body.expected_total',
      'if (false && !isSameMoney(body.expected_total',
      'what was shown',
    ],
    ['if (app.acting?.isLimited)', 'if (false)', 'a helper with a limit binds no renewals'],
  ]),
  ...inFile('features/licences/server/extras.ts', catalogue, [
    ['version !== undefined && version !== before.version', 'false', 'an edit of another stays'],
    ["extra.kind === 'setup' && extra.most !== 1", 'false', 'a fee is one piece'],
  ]),
]
