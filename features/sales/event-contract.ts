import * as z from 'zod/mini'
import { seeMoney } from '#foundation/capability.ts'
import { published } from '#foundation/published.ts'
import { checkout } from './checkouts.ts'
import { host, publishedOfHost, seeHosts } from '#features/hosts/contract.ts'

/** Account events of licences that are bought, and that end. */

export const licenceOrdered = publishedOfHost('licence.ordered', 'A licence was ordered, or its trial began.')
export const licenceRenewed = publishedOfHost(
  'licence.renewed',
  'A licence was renewed, by hand or by itself.',
)
export const licenceUpgraded = publishedOfHost('licence.upgraded', 'A licence was upgraded to another plan.')
export const licenceExpiring = publishedOfHost(
  'licence.expiring',
  'A licence that does not renew itself ends soon: seven, three and one days before, and two days before the end of a trial.',
)
export const licenceExpired = publishedOfHost('licence.expired', 'A licence ended and was not renewed.')
export const renewalFailed = published('licence.renewal_failed', {
  summary:
    'An automatic renewal was refused; `refusal` is the error code. Further tries follow until two days after the end.',
  data: z.strictObject({ host, refusal: z.string() }),
  opens: seeHosts,
  reduced: (data, role) => {
    const seen = licenceExpired.reduced?.(data.host, role)
    return seen && { ...data, host: seen }
  },
})
export const checkoutOpened = published('checkout.opened', {
  summary: 'An order waits for the money that the balance lacks.',
  data: checkout,
  opens: seeMoney,
})
export const checkoutEnded = published('checkout.ended', {
  summary:
    'An order no longer waits for money: `state` is `done`, or else tells why it was not done. The money, if it came, is on the balance.',
  data: checkout,
  opens: seeMoney,
})
