import { expect, it } from 'vitest'
import { searchHelp } from '#features/help/contract.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { seedHelp } from './seed-help.ts'

/** Questions as customers write them: the article that answers, and the beginning of a ticket. */
const questions: Readonly<Record<'en' | 'de' | 'ru', readonly (readonly [article: string, text: string])[]>> =
  {
    en: [
      [
        'connect-a-server',
        'Hello, I bought a licence yesterday. How do I install the agent on my Debian machine?',
      ],
      ['connect-a-server', 'The token is gone. I closed the window before I copied the command.'],
      [
        'server-not-connected',
        'My server shows as offline since this morning, but the website on it works fine.',
      ],
      ['server-not-connected', 'Charts are empty and there is no data any more since the reboot.'],
      [
        'change-the-ipv4-address',
        'We are moving to another datacenter next week and the machine gets a new IP.',
      ],
      [
        'change-the-ipv4-address',
        'I can not change the address again, it says the limit is reached. Please help.',
      ],
      ['licence-states', 'Why is my server suspended? I paid everything.'],
      ['licence-states', 'What happens when the free trial ends, will I be charged?'],
      ['renew-a-licence', 'I want to cancel my subscription at the end of the term, please confirm.'],
      ['top-up-the-balance', 'I sent a bank transfer four days ago and the money is still not there.'],
      ['top-up-the-balance', 'Can I pay by PayPal or do you take credit cards only?'],
      ['invoices-and-vat', 'Our company name is wrong on the last invoice, please send a corrected one.'],
      ['invoices-and-vat', 'We have a VAT ID but you still charge tax on our orders.'],
      ['promo-codes-and-vouchers', 'The discount code from your newsletter does not work at checkout.'],
      ['get-money-back', 'I ordered by mistake and would like a refund for it.'],
      ['two-factor-authentication', 'I lost my phone and can not get past the authenticator code.'],
      ['helpers', 'How can I give our developer access to one server without my password?'],
    ],
    de: [
      ['connect-a-server', 'Guten Tag, wie installiere ich den Agenten auf meinem Ubuntu-Rechner?'],
      ['connect-a-server', 'Ich finde den Befehl zum Einrichten nicht mehr, und das Token ist weg.'],
      [
        'server-not-connected',
        'Unser Server wird seit heute früh als nicht verbunden angezeigt, obwohl er läuft.',
      ],
      ['change-the-ipv4-address', 'Wir ziehen in ein anderes Rechenzentrum um und bekommen eine neue IP.'],
      ['change-the-ipv4-address', 'Die Adresse lässt sich nicht mehr ändern, können Sie das freischalten?'],
      ['licence-states', 'Warum ist mein Server gesperrt worden?'],
      ['renew-a-licence', 'Hiermit kündige ich mein Abo zum Monatsende. Bitte bestätigen Sie die Kündigung.'],
      ['renew-a-licence', 'Wie schalte ich die automatische Verlängerung ab?'],
      ['top-up-the-balance', 'Meine Überweisung vom Montag ist immer noch nicht gutgeschrieben.'],
      ['top-up-the-balance', 'Kann ich auch mit Kreditkarte bezahlen?'],
      ['invoices-and-vat', 'Auf der Rechnung steht die falsche Anschrift. Bitte neu ausstellen.'],
      ['invoices-and-vat', 'Wir sitzen in Österreich, warum berechnen Sie Mehrwertsteuer?'],
      ['promo-codes-and-vouchers', 'Der Rabattcode wird bei der Bestellung nicht angenommen.'],
      ['get-money-back', 'Ich möchte die Bestellung widerrufen und mein Geld zurück.'],
      ['monthly-statements', 'Unser Steuerberater braucht einen Auszug aller Umsätze vom Oktober.'],
      ['two-factor-authentication', 'Neues Handy, die App zeigt keine Codes mehr, ich komme nicht hinein.'],
      ['change-email-or-password', 'Ich habe mein Passwort vergessen und bekomme keine Mail.'],
    ],
    ru: [
      ['connect-a-server', 'Здравствуйте! Как установить агента на сервер с Debian?'],
      ['server-not-connected', 'С утра сервер показан без связи, хотя сайт на нём работает.'],
      ['change-the-ipv4-address', 'Переезжаем в другой дата-центр, у сервера будет новый адрес.'],
      ['licence-states', 'Почему мой сервер приостановлен?'],
      ['renew-a-licence', 'Как отключить автопродление лицензии?'],
      ['renew-a-licence', 'Хочу отменить подписку в конце срока.'],
      ['top-up-the-balance', 'Отправил банковский перевод три дня назад, деньги не поступили.'],
      ['top-up-the-balance', 'Можно ли оплатить картой?'],
      ['invoices-and-vat', 'В счёте неверное название компании, исправьте, пожалуйста.'],
      ['invoices-and-vat', 'Нам нужны закрывающие документы за ноябрь.'],
      ['promo-codes-and-vouchers', 'Код скидки не работает при заказе.'],
      ['get-money-back', 'Верните деньги за заказ, я оформил его случайно.'],
      ['monthly-statements', 'Нужна выписка со всеми операциями для бухгалтера.'],
      ['two-factor-authentication', 'Потерял телефон и не могу ввести код из приложения.'],
      ['helpers', 'Как дать доступ коллеге к одному серверу?'],
      ['tokens-and-webhooks', 'Где взять ключ для API, чтобы написать скрипт?'],
    ],
  }

it('offers the right article among three for most of fifty questions, and none for a greeting', async () => {
  const { app, client, close } = await startTestApp({ settings: { RATE_LIMIT_SCALE: '100' } })
  await transaction(app, 'system', (tx) => seedHelp(tx))
  const ask = async (language: 'en' | 'de' | 'ru', q: string) =>
    bodyOf(await client().call(searchHelp, { query: { q, language } }), 200).items
  const missed: string[] = []
  let all = 0
  for (const language of ['en', 'de', 'ru'] as const)
    for (const [article, text] of questions[language]) {
      all += 1
      const items = await ask(language, text)
      expect(items.length).toBeLessThanOrEqual(3)
      if (!items.some(({ url }) => url.endsWith(`/${article}/`))) missed.push(text)
    }
  expect(all).toBe(50)
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(20)
  expect(await ask('en', 'Hello, thank you very much')).toEqual([])
  await close()
})
