import type { FastifyInstance, FastifyReply } from 'fastify'
import type { App } from '#foundation/server/app.ts'
import { isUuid } from '#foundation/uuid.ts'
import { logoOfMails } from './layout.ts'
import { mailPage, mailsPage, mailStyles, type ReadMail } from './pages-html.ts'
import { openContent } from './outbox.ts'
import { keptMails, type KeptMail } from './queries.ts'

/**
 * Shows the mails that were kept because there is no mail server, at /dev/mail/. They hold keys to other people's accounts, so in
 * production, and if mails are sent, these addresses do not exist.
 */
export function serveKeptMails(server: FastifyInstance, app: App): void {
  if (app.config.production || app.config.smtpUrl) return
  const read = (mail: KeptMail): ReadMail => ({ ...mail, ...openContent(app, mail.id, mail.content) })

  server.get('/dev/mail/', async (_request, reply) =>
    page(reply, mailsPage((await keptMails(app, { limit: 100 })).map(read), app.config.operator.name)),
  )
  server.get('/dev/mail', (_request, reply) => reply.redirect('/dev/mail/', 308))
  server.get('/dev/mail/style.css', (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(mailStyles),
  )

  server.get<{ Querystring: { to?: string | string[] } }>('/dev/mail/latest', async ({ query }, reply) => {
    const to = [query.to].flat()[0]
    const [mail] = await keptMails(app, { limit: 1, ...(to ? { to: to.toLowerCase() } : {}) })
    if (!mail) return reply.callNotFound()
    return reply.header('cache-control', 'no-store').send(describe(read(mail)))
  })

  server.get<{ Params: { id: string } }>('/dev/mail/:id', async ({ params }, reply) => {
    const mail = await find(params.id)
    return mail ? page(reply, mailPage(mail, app.config.operator.name)) : reply.callNotFound()
  })
  // The mail's own HTML, as a document without a script, an origin or the right to load anything.
  server.get<{ Params: { id: string } }>('/dev/mail/:id/html', async ({ params }, reply) => {
    const mail = await find(params.id)
    if (!mail) return reply.callNotFound()
    return reply
      .header('content-security-policy', mailPolicy)
      .type('text/html; charset=utf-8')
      .send(mail.html.replace('cid:logo', logoAsData(app)))
  })

  async function find(id: string): Promise<ReadMail | undefined> {
    if (!isUuid(id)) return undefined
    const [mail] = await keptMails(app, { id, limit: 1 })
    return mail && read(mail)
  }
}

function describe({
  id,
  to_address,
  letter,
  locale,
  subject,
  text,
  html,
  created_at,
  attachments,
}: ReadMail): object {
  const links = text.match(/https?:\/\/\S+/g) ?? []
  const files = attachments.map(({ filename }) => filename)
  return { id, to: to_address, letter, locale, subject, text, html, links, files, created_at }
}

/** In a mail the logo is an attachment; here it must be in the page itself. */
function logoAsData({ config }: App): string {
  const logo = logoOfMails(config.operator)
  return logo ? `data:image/png;base64,${logo.toString('base64')}` : ''
}

const mailPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; base-uri 'none'; form-action 'none'; sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"
const pagePolicy =
  "default-src 'none'; style-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const page = (reply: FastifyReply, html: string) =>
  reply
    .header('cache-control', 'no-store')
    .header('content-security-policy', pagePolicy)
    .type('text/html; charset=utf-8')
    .send(html)
