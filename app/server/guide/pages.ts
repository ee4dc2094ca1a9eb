import { readFileSync } from 'node:fs'
import path from 'node:path'

/** A page of the guide: its address below /api/docs/, its title in the contents, and its Markdown. */
export type GuidePage = { slug: string; title: string; file: string }

const docs = path.join(import.meta.dirname, '../../../docs')

const page = (slug: string, title: string, file = `api/${slug}.md`): GuidePage => ({ slug, title, file })

/** The pages in the order of the contents. The first is at /api/docs/ itself. */
export const guidePages: readonly GuidePage[] = [
  { ...page('', 'Start'), file: 'api/start.md' },
  page('errors', 'Errors'),
  page('paging', 'Paging'),
  page('idempotency', 'Idempotency'),
  page('limits', 'Limits'),
  page('files', 'Files'),
  page('events', 'Live stream and events'),
  page('webhooks', 'Webhooks'),
  page('licences', 'Licences'),
  page('vendors', 'For vendors', 'vendors.md'),
  page('sell-a-program', 'Sell a program', 'sell-a-program.md'),
  page('libraries', 'Licence libraries', '../agent/libraries/README.md'),
  page('changes', 'Changes of the API'),
]

export const addressOf = ({ slug }: Pick<GuidePage, 'slug'>): string =>
  slug === '' ? '/api/docs/' : `/api/docs/${slug}/`

export const readDoc = (file: string): string => readFileSync(path.join(docs, file), 'utf8')
