import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { addSection, publish, write } from '#features/help/server/help.ts'
import { locales, type Translated } from '#foundation/locale.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

const sections: readonly { slug: string; title: Translated }[] = [
  {
    slug: 'servers',
    title: { en: 'Servers and licences', de: 'Server und Lizenzen', ru: 'Серверы и лицензии' },
  },
  {
    slug: 'money',
    title: { en: 'Payments and invoices', de: 'Zahlungen und Rechnungen', ru: 'Платежи и счета' },
  },
  {
    slug: 'account',
    title: { en: 'Your account', de: 'Ihr Konto', ru: 'Ваш аккаунт' },
  },
]

const folder = path.join(import.meta.dirname, 'help')

/** Publishes the articles of the folder `help`: a file `section.article.md` has, for each language, a title, keywords and the text. */
export async function seedHelp(tx: Tx): Promise<void> {
  const ids = new Map<string, string>()
  for (const [place, { slug, title }] of sections.entries())
    ids.set(slug, (await addSection(tx, { slug, title, rank: (place + 1) * 10 })).id)
  for (const [place, file] of readdirSync(folder).toSorted().entries()) {
    const [section = '', slug = ''] = file.split('.')
    const words = readArticle(readFileSync(path.join(folder, file), 'utf8'))
    const section_id = ids.get(section)
    if (section_id === undefined) throw new Error(`${file} is in no section`)
    await publish(tx, await write(tx, { section_id, slug, rank: place, ...words }, null))
  }
}

/** The addresses of the articles that the demo writes. */
export const helpSlugs = (): string[] => readdirSync(folder).map((file) => file.split('.')[1] ?? '')

function readArticle(source: string): Record<'title' | 'keywords' | 'text', Translated> {
  const article = { title: nothing(), keywords: nothing(), text: nothing() }
  for (const part of source.split(/^=== /mu).slice(1)) {
    const [head = '', keywords = '', ...lines] = part.split('\n')
    const locale = locales.find((each) => head.startsWith(`${each} `))
    if (!locale) throw new Error(`no language begins ${head}`)
    article.title[locale] = head.slice(3).trim()
    article.keywords[locale] = keywords.trim()
    article.text[locale] = lines.join('\n').trim()
  }
  return article
}

const nothing = (): Translated => ({ en: '', de: '', ru: '' })
