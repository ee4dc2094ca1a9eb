import type { Case } from './small-trees.ts'

/** Small trees with a document that leads nowhere, is too long or lacks a part (rules.test.ts). */
export const documents: Case[] = [
  {
    rule: 'links in documents lead somewhere',
    broken: { 'docs/walkthroughs.md': '[the rules](../STYLE.md)' },
    says: 'docs/walkthroughs.md links to STYLE.md, which is not there.',
    mended: { 'docs/walkthroughs.md': '[the rules](../STYLE.md)', 'STYLE.md': '[us](https://example.com)' },
  },
  {
    rule: 'links in documents lead somewhere',
    broken: { 'README.md': '<picture><source srcset="docs/dark.png"><img src="docs/light.png"></picture>' },
    says: 'README.md links to docs/dark.png, which is not there.',
    mended: { 'README.md': '<img src="docs/light.png">', 'docs/light.png': '' },
  },
  {
    rule: 'documents are short',
    broken: { 'ARCHITECTURE.md': 'line\n'.repeat(151) },
    says: 'ARCHITECTURE.md has 151 lines: at most 150.',
    mended: { 'ARCHITECTURE.md': 'line\n'.repeat(150) },
  },
  {
    rule: 'a decision is whole',
    broken: { 'docs/decisions/001-one.md': '# One\n\n## Context\n\n## Decision\n' },
    says: 'docs/decisions/001-one.md lacks its Consequence.',
    mended: { 'docs/decisions/001-one.md': '# One\n\n## Context\n\n## Decision\n\n## Consequence\n' },
  },
  ...[
    { 'foundation/a.ts': '// Rows are read once (decision 002).' },
    { 'foundation/a.ts': '// Rows are read once (decisions 001 and 002).' },
    { 'database/baseline/01_a.sql': '-- Rows are read once (docs/decisions/002).' },
    { 'README.md': 'Rows are read once ([002](docs/decisions/001-one.md)).' },
  ].map((broken) => ({
    rule: 'a reference to a decision leads to one that stands',
    broken: { 'docs/decisions/001-one.md': '# One', ...broken },
    says: `${Object.keys(broken)[0]} names decision 002, which does not stand.`,
    mended: { 'docs/decisions/001-one.md': '# One', 'docs/decisions/002-two.md': '# Two', ...broken },
  })),
  {
    rule: 'the README lists every setting',
    broken: { 'foundation/server/settings.ts': "  PORT: setting('Port')", 'README.md': '| `HOST` | where |' },
    says: 'README.md does not list the setting PORT.',
    mended: { 'foundation/server/settings.ts': "  PORT: setting('Port')", 'README.md': '| `PORT` | where |' },
  },
]
