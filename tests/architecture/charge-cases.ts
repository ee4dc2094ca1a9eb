import type { Case } from './small-trees.ts'

const FINANCE = '#features/finance/server/finance.ts'
const rule = 'money is charged by the sale alone'
const says = 'features/hosts/server/a.ts: sell by writeSale'
const mended = {
  'features/sales/server/sale.ts': `import { charge, giftPart } from '${FINANCE}'`,
  'features/hosts/server/a.ts': `import { credit, chargeBackForOperator } from '${FINANCE}'`,
  'features/hosts/server/a.test.ts': `import { charge } from '${FINANCE}'`,
  'features/methods/server/b.ts': "import { charge } from './providers.ts'",
}

/** Small trees in which money is charged beside the gate (rules.test.ts). */
export const charges: Case[] = [
  `import { charge, findTransaction } from '${FINANCE}'`,
  `import {\n  findTransaction,\n  charge as take,\n} from '${FINANCE}'`,
  `export { charge } from '${FINANCE}'`,
  `import * as finance from '${FINANCE}'\nawait finance.charge(app, tx, spending)`,
].map((text) => ({ rule, broken: { ...mended, 'features/hosts/server/a.ts': text }, says, mended }))
