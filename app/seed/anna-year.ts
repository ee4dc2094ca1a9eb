import * as acts from './events.ts'
import { runOn, upgrade } from './licence-events.ts'
import { leavePayment } from './open-orders.ts'
import { saveMethod } from './saved-money.ts'
import type { SeedEvent } from './seed-event.ts'
import { daysAgo, daysFrom, consecutivePeriods, startFor } from './dates.ts'
import { anna, mikhail } from './people.ts'

/** The name and the address of the demo customer's server that is online. */
export const connected = { name: 'harbour-web-01', ipv4: '203.0.113.24' }

/**
 * Returns the history of Anna's year. She has five servers: a shop with automatic monthly renewals; a staging server, which was upgraded
 * ten days ago and ends in three days; an API, whose plan changes in twelve days and which runs on one machine too many until then; a
 * blog that ended twelve days ago; and a server without a licence. The history has all seven types of transactions, with a payment that
 * bounced, an order by mistake that she withdrew from, a refund for an outage and an invoice that was issued again to her new address.
 * Mikhail helps her and pays for the API. One bank transfer waits for staff, who have yet to find it on the
 * statement, and one order for its payment, whose page she has left.
 */
export function annaHistory(now: Date): SeedEvent[] {
  const [first, ...renewals] = consecutivePeriods('P1M', daysFrom(now, 18, '09:12'), 12)
  const blog = consecutivePeriods('P3M', daysAgo(now, 12, '16:40'), 3)
  const { name, ipv4 } = connected
  const { address, apartment, zip } = anna
  if (!first) return []
  return [
    acts.acceptTerms(daysAgo(now, 363, '18:40'), '2025-06'),
    acts.changeProfile(daysAgo(now, 363, '18:41'), {
      address: 'Gärtnerstraße 12',
      apartment: '',
      zip: '20253',
    }),
    acts.pay(daysAgo(now, 362, '8:05'), 'bank', 100_00n),
    acts.addHost(before(first.at), name, ipv4),
    acts.buyLicence(first.at, name, 'standard-month'),
    ...renewals.map(({ at }, month) =>
      acts.buyLicence(at, name, 'standard-month', { automatic: true, deed: `${name} ${month}` }),
    ),
    ...blog.map(({ at }, place) => {
      const bought = acts.buyLicence(at, 'old-blog', 'starter-quarter')
      return place === 0 ? [acts.addHost(before(at), 'old-blog', '198.51.100.80'), bought] : [bought]
    }),
    acts.redeemVoucher(daysAgo(now, 290, '19:31'), 'SPRING-25'),
    acts.pay(daysAgo(now, 262, '11:20'), 'stripe', 150_00n),
    acts.addHost(daysAgo(now, 201, '13:02'), 'shop-staging', '198.51.100.17'),
    acts.buyLicence(daysAgo(now, 201, '13:04'), 'shop-staging', 'starter-year', { deed: 'by mistake' }),
    acts.withdraw(daysAgo(now, 200, '9:31'), 'by mistake'),
    acts.refundOrder(
      daysAgo(now, 200, '9:47'),
      'shop-staging',
      'by mistake',
      'Ordered by the year by mistake',
    ),
    acts.refundPart(daysAgo(now, 170, '15:15'), `${name} 4`, 5_00n, 'Network outage of 6 hours'),
    acts.pay(daysAgo(now, 151, '20:10'), 'stripe', 50_00n, 'bounced'),
    acts.chargeBack(daysAgo(now, 139, '7:30'), 'stripe', 'bounced', 'disputed by the card holder'),
    acts.pay(daysAgo(now, 137, '12:44'), 'bank', 120_00n),
    acts.changeProfile(daysAgo(now, 69, '19:05'), { address, apartment, zip }),
    acts.reissue(daysAgo(now, 68, '10:12'), `${name} 8`, 'Issued to your former address'),
    acts.giveCredit(daysAgo(now, 64, '16:20'), 10_00n, 'Thank you for the report about the backup'),
    acts.shareServers(daysAgo(now, 33, '10:05'), mikhail.email),
    acts.makeToken(daysAgo(now, 21, '16:20'), 'Status page'),
    acts.letPay(daysAgo(now, 6, '10:30'), 'shop-api', mikhail.email, 30_00n),
    acts.buyLicence(startFor('P1M', daysFrom(now, 3, '13:30')), 'shop-staging', 'starter-month'),
    upgrade(daysAgo(now, 10, '11:15'), 'shop-staging', 'standard-month'),
    acts.addHost(daysAgo(now, 21, '10:20'), 'shop-api', '198.51.100.31'),
    acts.buyLicence(startFor('P1M', daysFrom(now, 12, '10:25')), 'shop-api', 'starter-month'),
    acts.buyLicence(daysAgo(now, 5, '8:15'), 'shop-api', 'standard-month'),
    runOn(daysAgo(now, 18, '12:05'), 'shop-api', { hostname: 'shop-api', address: '198.51.100.31' }),
    runOn(daysAgo(now, 2, '9:40'), 'shop-api', {
      hostname: 'shop-api-copy',
      address: '198.51.100.31',
      isOver: true,
    }),
    acts.addHost(daysAgo(now, 9, '17:55'), 'brave-otter-42', null),
    acts.announcePayment(daysAgo(now, 1, '14:08'), 'bank', 100_00n, 'to be confirmed'),
    saveMethod(daysAgo(now, 20, '18:45'), 'pays'),
    leavePayment(new Date(now.getTime() - 2 * 3_600_000), 'old-blog', 'standard-year'),
  ].flat()
}

const before = (at: Date): Date => new Date(at.getTime() - 3 * 60_000)
