import * as acts from './events.ts'
import { tryEdition } from './licence-events.ts'
import { askForMoney, declineCharge, fillByItself, saveMethod } from './saved-money.ts'
import type { SeedEvent } from './seed-event.ts'
import { mikhail } from './people.ts'
import { daysAgo, daysFrom, startFor } from './dates.ts'

/**
 * Mikhail's year in Riga: half of it as a private customer, who pays the VAT of Latvia, then with a company and its VAT id,
 * which accounts for the tax itself (reverse charge). A server of his is suspended, and he tries an edition on another. Money that he paid
 * twice waits to be sent back, and the card that fills his balance was declined today.
 */
export function mikhailHistory(now: Date): SeedEvent[] {
  const { company, vat_id } = mikhail
  return [
    acts.changeProfile(daysAgo(now, 300, '9:00'), { company: '', vat_id: '' }),
    acts.acceptTerms(daysAgo(now, 300, '8:59'), '2025-06'),
    acts.pay(daysAgo(now, 299, '9:20'), 'bank', 200_00n),
    acts.addHost(daysAgo(now, 298, '9:30'), 'daugava-mail', '192.0.2.61'),
    acts.buyLicence(daysAgo(now, 298, '9:35'), 'daugava-mail', 'standard-quarter'),
    acts.buyLicence(daysAgo(now, 206, '18:10'), 'daugava-mail', 'standard-quarter'),
    acts.changeProfile(daysAgo(now, 160, '10:00'), { company, vat_id }),
    acts.confirmVatId(daysAgo(now, 160, '10:01'), vat_id),
    acts.pay(daysAgo(now, 119, '9:20'), 'stripe', 600_00n),
    acts.buyLicence(daysAgo(now, 118, '10:45'), 'daugava-mail', 'standard-year'),
    acts.addHost(daysAgo(now, 40, '11:00'), 'jurmala-backup', '192.0.2.62'),
    acts.buyLicence(startFor('P3M', daysFrom(now, 52, '11:10')), 'jurmala-backup', 'business-quarter'),
    acts.suspendHost(
      daysAgo(now, 1, '15:20'),
      'jurmala-backup',
      'С этого сервера перебирают пароли SSH. Пожалуйста, очистите его и напишите нам.',
      'Three reports from other networks, with logs',
    ),
    acts.addHost(daysAgo(now, 5, '14:00'), 'liepaja-lab', '192.0.2.63'),
    tryEdition(daysAgo(now, 5, '14:10'), 'liepaja-lab', 'business-month'),
    saveMethod(daysAgo(now, 30, '9:15'), 'declines'),
    fillByItself(daysAgo(now, 30, '9:17'), 150_00n),
    declineCharge(new Date(now.getTime() - 3 * 3_600_000), 56_68n),
    acts.pay(daysAgo(now, 3, '16:05'), 'bank', 40_00n, 'too much'),
    askForMoney(daysAgo(now, 1, '9:12'), 40_00n, {
      iban: 'LV80BANK0000435195001',
      holder: 'Mihails Sokolovs',
    }),
    acts.announcePayment(daysAgo(now, 2, '8:41'), 'bank', 250_00n, 'to be confirmed'),
  ]
}
