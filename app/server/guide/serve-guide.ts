import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { App } from '#foundation/server/app.ts'
import { guideHtml } from './layout.ts'
import { llmsText } from './llms.ts'
import { addressOf, guidePages, readDoc } from './pages.ts'

const own = (file: string) => readFileSync(path.join(import.meta.dirname, file), 'utf8')
const tokens = path.join(import.meta.dirname, '../../../foundation/web/theme/tokens.css')

/**
 * Serves the guide for people who write programs: its pages at /api/docs/, each as Markdown beside it (`index.md`), and /llms.txt. Pages
 * are rendered at their first request, so that the start does not wait for them. The colours are those of the product.
 */
export function serveGuide(server: FastifyInstance, { config }: Pick<App, 'config'>): void {
  const { publicOrigin: origin } = config
  const { name, accentColor } = config.operator
  const file = (address: string, type: string, text: () => string) =>
    server.get(address, async (_request, reply) => send(reply, type, kept(address, text)))
  for (const page of guidePages) {
    const address = addressOf(page)
    file(address, 'text/html', () => guideHtml(page, { origin, name, accent: accentColor !== undefined }))
    file(`${address}index.md`, 'text/markdown', () => readDoc(page.file))
    server.get(address.slice(0, -1), async (_request, reply) => reply.redirect(address, 308))
  }
  file('/api/docs/guide.css', 'text/css', () => readFileSync(tokens, 'utf8') + own('guide.css'))
  file('/api/docs/guide.js', 'text/javascript', () => own('guide.js'))
  file('/llms.txt', 'text/plain', () => llmsText(origin, name))

  const texts = new Map<string, string>()
  const kept = (address: string, make: () => string): string => {
    const text = texts.get(address) ?? make()
    texts.set(address, text)
    return text
  }
}

const send = (reply: FastifyReply, type: string, text: string) =>
  reply.type(`${type}; charset=utf-8`).header('cache-control', 'public, max-age=300').send(text)
