import { inFile, type Mutant } from './mutant.ts'

// The browser of a person changes the page (rule 56).
export const page: readonly Mutant[] = inFile(
  'tools/lint-texts.js',
  ['tests/architecture/lint.test.ts'],
  [
    [
      'others.some((other) => other.comes)',
      'false',
      'a text beside what comes and goes has an element of its own',
    ],
    ['comes ? others.length > 0 :', '', 'so has a text that itself comes and goes'],
    ["node.type === 'JSXFragment'", 'false', 'so has any text of a fragment, whose place nobody knows'],
    ["=== 'map') return list", "=== 'map') return element", 'a list comes and goes'],
    ["definition.parent?.kind === 'const' &&", 'false &&', 'a constant is what it was given'],
  ],
)
