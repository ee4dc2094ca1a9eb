import webPush from 'web-push'
import { PAGES_BASE } from '#foundation/page-path.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { enqueue } from '#foundation/server/jobs/jobs.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { PUSH, type PushPayload } from './notify.ts'
import { pushKeys } from './push-keys.ts'
import * as queries from './push-queries.ts'
import { pushSentence } from './push-sentence.ts'

const TTL_s = 86_400
const MOST_TRIES = 4
const PAUSE_s = 60

/**
 * Tells the browsers of a person what happened, unless they have read it meanwhile: one sentence without anybody's words, and a link. A
 * browser that the push service does not know any more is forgotten; one that cannot be reached now is tried again by itself.
 */
export async function sendPush(
  app: App,
  { user_id, notification, only, tries = 1 }: PushPayload,
): Promise<void> {
  const news = await queries.unreadById(app.db, user_id, notification)
  if (!news) return
  const person = await findUser(app.db, user_id)
  if (!person?.is_active || person.access === 'locked') return
  const message = JSON.stringify({
    title: app.config.operator.name,
    text: pushSentence(news, person.locale),
    link: PAGES_BASE + news.link,
    tag: `${news.kind} ${news.link}`,
  })
  for (const subscription of await queries.subscriptionsOf(app.db, user_id, only)) {
    const outcome = await send(app, subscription, message)
    await transaction(app, 'system', async (tx) => {
      if (outcome === 'sent') await queries.noteSent(tx, subscription.id)
      if (outcome === 'gone') await queries.deleteSubscription(tx, user_id, subscription.endpoint)
      if (outcome === 'later' && tries < MOST_TRIES) {
        const again: PushPayload = { user_id, notification, only: subscription.id, tries: tries + 1 }
        const key = `push:${notification}:${subscription.id}`
        enqueue(tx, PUSH, again, { key, after_s: PAUSE_s * 4 ** tries })
      }
    })
  }
}

type Outcome = 'sent' | 'gone' | 'later' | 'refused'

/** Seals a message for one browser (RFC 8291), signs it as this installation (RFC 8292), and hands it to the browser's push service. */
async function send(
  app: App,
  { endpoint, p256dh, auth }: queries.Subscription,
  message: string,
): Promise<Outcome> {
  const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, message, {
    vapidDetails: { subject: subjectOf(app), ...(await pushKeys(app)) },
    TTL: TTL_s,
    urgency: 'normal',
    contentEncoding: 'aes128gcm',
  })
  const outcome = await app.config.egress.post(endpoint, { headers, body })
  if ('failure' in outcome) return 'later'
  const { status } = outcome.answer
  if (status >= 200 && status < 300) return 'sent'
  if (status === 404 || status === 410) return 'gone'
  return status === 429 || status >= 500 ? 'later' : 'refused'
}

/** The address at which a push service reaches the operator. */
function subjectOf({ config: { operator, publicOrigin } }: App): string {
  const address = operator.supportEmail?.match(/<([^>]+)>$/u)?.[1] ?? operator.supportEmail
  if (address !== undefined) return `mailto:${address}`
  return publicOrigin.startsWith('https:') ? publicOrigin : 'mailto:nobody@invalid'
}
