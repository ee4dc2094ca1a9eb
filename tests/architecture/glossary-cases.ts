import { type Case, texts } from './small-trees.ts'

const rule = 'a thing has one word in each language'
const docs = {
  'docs/words.md': [
    '| Thing | English | German | Russian | Not |',
    '| --- | --- | --- | --- | --- |',
    '| a document | credit note | Rechnungskorrektur | корректировка | en: credit memo · de: Gutschrift* · ru: кредит-нот*, номер* НДС |',
  ].join('\n'),
}
const said = (en: string, de: string, ru: string) =>
  texts(
    'features/hosts',
    ...([en, de, ru].map((text) => `{"hosts_note": "${text}"}`) as [string, string, string]),
  )
const article = (german: string, keywords: string) =>
  ['=== en Notes', 'note', '', 'A Gutschrift.', '=== de Notizen', keywords, '', german].join('\n')
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
  {
    rule,
    broken: { ...docs, ...said('Credit note', 'Rechnungskorrektur', 'Корректировка с номером\u00A0НДС') },
    says: 'features/hosts/messages/ru.json: hosts_note says номером\u00A0НДС: write корректировка',
    mended: {
      ...docs,
      ...said('Credit note', 'Rechnungskorrektur', 'Корректировка с номером плательщика НДС'),
    },
  },
  {
    rule,
    broken: { ...right, 'app/seed/help/money.notes.md': article('Eine Gutschrift hilft.', 'Gutschrift') },
    says: 'app/seed/help/money.notes.md:8 says Gutschrift: write Rechnungskorrektur',
    // Keywords are what people type, and an English sentence may have a German word.
    mended: { ...right, 'app/seed/help/money.notes.md': article('Das hilft.', 'Gutschrift') },
  },
  {
    rule,
    broken: { ...right, 'app/seed/tickets.ts': "says('anna', 'Wo ist die Gutschrift?')" },
    says: 'app/seed/tickets.ts:1 says Gutschrift: write Rechnungskorrektur',
    mended: { ...right, 'app/seed/tickets.ts': "says('anna', 'Where is the Gutschrift?')" },
  },
  {
    rule,
    broken: {
      ...right,
      'app/seed/desk/tickets.ts': "title: { en: 'Note', de: 'Gutschriften', ru: 'Заметка' }",
    },
    says: 'app/seed/desk/tickets.ts:1 says Gutschriften: write Rechnungskorrektur',
    mended: {
      ...right,
      'app/seed/desk/tickets.ts': "title: { en: 'Note', de: 'Notiz' } // Anna's Gutschrift",
    },
  },
  {
    rule,
    broken: { ...right, 'app/seed/tickets.ts': "says(\n  'Без номера НДС',\n)" },
    says: 'app/seed/tickets.ts:2 says номера НДС: write корректировка',
    mended: {
      ...right,
      'app/seed/tickets.ts': "// The attack is a 'номер НДС' in a comment.\nsays('Без номера')",
    },
  },
]
