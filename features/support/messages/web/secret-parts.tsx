import { Suspense } from 'react'
import { lazyPart } from '#foundation/web/lazy-page.tsx'

type Props = { chat_id: string; text: string; onSent: () => void }

const load = () => import('./secret-offer.tsx')
const Offer = lazyPart<Props>(() => load().then((file) => file.SecretOffer))
const Opener = lazyPart<Props>(() => load().then((file) => file.SecretButton))

/** The offer to send as a secret what is being written: it is loaded when somebody writes. */
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
