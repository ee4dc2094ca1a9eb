import { inFile, type Mutant } from './mutant.ts'

const S = 'features/shop/server/'
const tests = [`${S}buy.test.ts`]

/** Mutants of purchases of strangers: whose address, what is paid, and once (decision 202). */
export const shop: readonly Mutant[] = [
  ...inFile(`${S}arrive.ts`, tests, [
    ["if (purchase?.state !== 'open') return", 'if (!purchase) return', 'a purchase arrives once'],
    ['if (owner) {', 'if (owner === null) {', 'nothing goes into somebody’s account unasked'],
    [' ?? (await accountInUse(tx, email))', '', 'nor into one that a purchase made'],
    ['  await dropUnusedClaims(app, tx, email)\n', '', 'a sign-up that nobody confirmed holds no address'],
    ['await lockAddress(tx, named.email)', '', 'two purchases of an address take turns'],
  ]),
  ...inFile(`${S}open-account.ts`, tests, [
    ['verified: false', 'verified: true', 'a purchase proves no address'],
    ['holdAddress(tx, await insertAddress', 'Promise.resolve(await insertAddress', 'an address is held'],
    ['if (network !== null) await', 'if (false) await', 'the network of the form is evidence'],
    ['  await accept(app, tx', '  if (false) await accept(app, tx', 'who bought accepted the terms'],
  ]),
  ...inFile(`${S}purchases.ts`, tests, [
    ['    if (before) return before.public_id\n', '', 'a form is one purchase'],
    ['await undone(tx, () => tryPurchase', 'void (() => tryPurchase', 'what would be refused is not paid'],
  ]),
  ...inFile(
    `${S}purchases.ts`,
    [`${S}kept.test.ts`],
    [
      ['purchase.failed_at === null || ', '', 'only the form of a failed payment is shown again'],
      ["purchase?.state !== 'open' || ", '!purchase || ', 'and of none that was paid'],
    ],
  ),
  ...inFile(`${S}buy.ts`, tests, [
    [
      "headers['sec-fetch-site'] === 'cross-site'",
      "headers['sec-fetch-site'] === ''",
      'no other site orders',
    ],
    ["if (typed.website !== '')", 'if (false)', 'programs order nothing'],
    [
      "['guest_form', clientAddress(request",
      "// ['guest_form', clientAddress(request",
      'a network asks so often',
    ],
    [
      "['guest_form_mailbox', canonicalEmail",
      "// ['guest_form_mailbox', canonicalEmail",
      'for a mailbox so often',
    ],
  ]),
  ...inFile(`${S}buy-form.ts`, tests, [
    ['if (typed.total !== plan.price_total.amount)', 'if (false)', 'nobody pays what they did not see'],
    ['if (asksForPlace(typed, network) &&', 'if (false &&', 'who is elsewhere says where they live'],
    [
      '    for (const field of missingInAddress',
      '    for (const field of [] ?? missingInAddress',
      'a buyer is named',
    ],
  ]),
  ...inFile('features/sales/server/bought-checkout.ts', tests, [
    ['isLate ? 0 : 1', '1', 'money that comes too late orders nothing'],
  ]),
]
