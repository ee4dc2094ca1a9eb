import { type Case, texts } from './small-trees.ts'

const rule = 'a thing has one word in each language'
const docs = {
  'docs/words.md': [
    '| Thing | English | German | Russian | Not |',
    '| --- | --- | --- | --- | --- |',
    '| a document | credit note | Rechnungskorrektur | корректировка | en: credit memo · de: Gutschrift* · ru: кредит-нот* |',
  ].join('\n'),
}
const said = (en: string, de: string, ru: string) =>
  texts(
    'features/hosts',
    ...([en, de, ru].map((text) => `{"hosts_note": "${text}"}`) as [string, string, string]),
  )
const right = { ...docs, ...said('Credit note {number}', 'Rechnungskorrektur', 'Корректировка') }

/** Words that the glossary refuses, once in each language and in docs, and a word of the glossary that no text says. */
export const glossaries: Case[] = [
  {
    rule,
    broken: { ...docs, ...said('Credit note, a credit memo', 'Rechnungskorrektur', 'Корректировка') },
    says: 'features/hosts/messages/en.json: hosts_note says credit memo: write credit note (docs/words.md).',
    mended: right,
  },
  {
    rule,
    broken: { ...docs, ...said('Credit note', 'Rechnungskorrektur, Gutschriften', 'Корректировка') },
    says: 'features/hosts/messages/de.json: hosts_note says Gutschriften: write Rechnungskorrektur',
    mended: { ...docs, ...said('Credit note', 'Rechnungskorrektur; {gutschrift}', 'Корректировка') },
  },
  {
    rule,
    broken: { ...docs, ...said('Credit note', 'Rechnungskorrektur', 'Корректировка, кредит-нота') },
    says: 'features/hosts/messages/ru.json: hosts_note says кредит-нота: write корректировка',
    mended: right,
  },
  {
    rule,
    broken: { ...right, 'docs/operate/books.md': 'One\n\nA credit memo is written.' },
    says: 'docs/operate/books.md:3 says credit memo',
    mended: { ...right, 'docs/operate/books.md': 'The command is `credit memo`.' },
  },
  {
    rule,
    broken: { ...docs, ...said('Credit note', 'Rechnungskorrektur', 'Счёт') },
    says: 'docs/words.md: no text in ru says корректировка.',
    mended: right,
  },
]
