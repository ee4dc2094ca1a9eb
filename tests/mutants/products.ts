import { inFile, type Mutant } from './mutant.ts'

const programs = ['features/sales/server/programs.test.ts']

/** Mutants of products, and of programs beside servers. */
export const products: readonly Mutant[] = [
  ...inFile('features/licences/server/plans.ts', programs, [
    [
      'product.slug === (host.product?.slug ?? FIRST_PRODUCT)',
      'true',
      'a host gets plans of its product alone',
    ],
  ]),
  ...inFile('features/sales/server/purchase.ts', programs, [
    ['if (host.ipv4 !== null) throw', 'if (false) throw', 'a program gets no address'],
    ['else if (host.ipv4 === null) throw', 'else if (false) throw', 'a server is ordered with its IPv4'],
  ]),
  ...inFile('features/licences/server/document.ts', programs, [
    ['if (isProgram(host)) throw', 'if (false) throw', 'a file of a program is made for a machine'],
  ]),
  ...inFile('features/licences/server/checks.ts', programs, [
    ['? asked.fingerprint !== undefined', '? true', 'no document of a program without a machine'],
    ["code !== 'other_product' && ", '', 'no document for another product'],
    [
      'asked.product !== (host.product?.slug ?? FIRST_PRODUCT)',
      'false',
      'the key of another product is not valid',
    ],
  ]),
  ...inFile('features/hosts/server/addresses.ts', programs, [
    ['if (isProgram(host)) throw', 'if (false) throw', 'a program gets no address later'],
  ]),
  ...inFile('features/licences/server/editions.ts', programs, [
    ['edition.product !== product', 'false', 'a plan stays with its product'],
  ]),
]
