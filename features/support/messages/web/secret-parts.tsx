import { Suspense } from 'react'
import { lazyPart } from '#foundation/web/lazy-page.tsx'

type Props = { chat_id: string; text: string; onSent: () => void }

const load = () => import('./secret-offer.tsx')
const Offer = lazyPart<Props>(() => load().then((file) => file.SecretOffer))
const Opener = lazyPart<Props>(() => load().then((file) => file.SecretButton))

/** What a message field has for secrets: it is loaded when somebody writes. */
export const SecretOffer = (props: Props) => (
  <Suspense fallback={null}>
    <Offer {...props} />
  </Suspense>
)

export const SecretButton = (props: Props) => (
  <Suspense fallback={<span className="size-9" />}>
    <Opener {...props} />
  </Suspense>
)
