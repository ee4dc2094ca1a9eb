import { describe, expect, it } from 'vitest'
import { textOf } from './answer-text.ts'

const answer = 'Yes, that helped.\n\nOne more question: how do I renew?'
const html = answer
  .split('\n\n')
  .map((line) => `<div>${line}</div><div><br></div>`)
  .join('')

/** How mail programs repeat the mail that is answered, as they write it in three languages. */
const texts: Record<string, string> = {
  'Thunderbird, en': `${answer}\n\nOn 8/3/26 10:00, Support wrote:\n> Is it plugged in?\n>\n> Support\n`,
  'Thunderbird, de': `${answer}\n\nAm 03.08.26 um 10:00 schrieb Support:\n> Ist er eingesteckt?\n`,
  'Thunderbird, ru': `${answer}\n\n03.08.2026 10:00, Support пишет:\n> Он включён?\n`,
  'Apple Mail, en': `${answer}\n\n> On 3. Aug 2026, at 10:00, Support <support@in.example.com> wrote:\n> \n> Is it plugged in?\n`,
  'Apple Mail, de': `${answer}\n\n> Am 03.08.2026 um 10:00 schrieb Support <support@in.example.com>:\n> \n> Ist er eingesteckt?\n`,
  'Apple Mail, ru': `${answer}\n\n> 3 авг. 2026 г., в 10:00, Support <support@in.example.com> написал(а):\n> \n> Он включён?\n`,
  'Gmail, en': `${answer}\n\nOn Mon, Aug 3, 2026 at 10:00 AM Support <support+t1-0000@in.example.com>\nwrote:\n\n> Is it plugged in?\n`,
  'Gmail, de': `${answer}\n\nAm Mo., 3. Aug. 2026 um 10:00 Uhr schrieb Support <\nsupport+t1-0000@in.example.com>:\n\n> Ist er eingesteckt?\n`,
  'Gmail, ru': `${answer}\n\nпн, 3 авг. 2026 г. в 10:00, Support <support+t1-0000@in.example.com>:\n\n> Он включён?\n`,
  'Outlook on the web, en': `${answer}\n\n________________________________\nFrom: Support <support@in.example.com>\nSent: Monday, August 3, 2026 10:00\nTo: Anna <anna@example.com>\nSubject: Agent\n\nIs it plugged in?\n`,
  'Outlook on the web, de': `${answer}\n\n________________________________\nVon: Support <support@in.example.com>\nGesendet: Montag, 3. August 2026 10:00\nAn: Anna <anna@example.com>\nBetreff: Agent\n\nIst er eingesteckt?\n`,
  'Outlook on the web, ru': `${answer}\n\n________________________________\nОт: Support <support@in.example.com>\nОтправлено: понедельник, 3 августа 2026 г. 10:00\nКому: Anna <anna@example.com>\nТема: Agent\n\nОн включён?\n`,
  'Yahoo, en': `${answer}\n\n    On Monday, August 3, 2026 at 10:00:00 AM GMT+2, Support <support@in.example.com> wrote:  \n \n Is it plugged in?\n`,
  'Yahoo, de': `${answer}\n\n    Am Montag, 3. August 2026 um 10:00:00 MESZ hat Support <support@in.example.com> Folgendes geschrieben:  \n \n Ist er eingesteckt?\n`,
  'GMX, de': `${answer}\n\nGesendet: Montag, 3. August 2026 um 10:00\nVon: "Support" <support@in.example.com>\nAn: anna@example.com\nBetreff: Agent\n\nIst er eingesteckt?\n`,
  'GMX, en': `${answer}\n\nSent: Monday, August 03, 2026 at 10:00 AM\nFrom: "Support" <support@in.example.com>\nTo: anna@example.com\nSubject: Agent\n\nIs it plugged in?\n`,
  'Mail.ru, ru': `${answer}\n\n \n>Понедельник, 3 августа 2026, 10:00 +03:00 от Support <support@in.example.com>:\n> \n>Он включён?\n`,
  'Yandex, ru': `${answer}\n\n03.08.2026, 10:00, "Support" <support@in.example.com>:\n\n> Он включён?\n`,
}

/** Mails of programs that write HTML alone. */
const pages: Record<string, string> = {
  Gmail: `<div dir="ltr">${html}</div><br><div class="gmail_quote"><div class="gmail_attr">On Mon, Support wrote:<br></div><blockquote>Is it plugged in?</blockquote></div>`,
  Outlook: `<html><body>${html}<div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b> Support</div><div>Is it plugged in?</div></body></html>`,
  Yahoo: `<div class="ydp">${html}</div><div class="yahoo_quoted"><div>On Monday, Support wrote:</div><div>Is it plugged in?</div></div>`,
  'Apple Mail': `<html><body>${html}<div><blockquote type="cite"><div>On 3. Aug 2026, Support wrote:</div><div>Is it plugged in?</div></blockquote></div></body></html>`,
  Thunderbird: `<html><body>${html}<div class="moz-cite-prefix">On 8/3/26, Support wrote:</div><blockquote type="cite">Is it plugged in?</blockquote></body></html>`,
}

describe('K-05 the answer alone is posted, and the whole mail can be opened', () => {
  it.each(Object.entries(texts))('%s', (_name, text) => {
    const read = textOf({ text })
    expect(read.answer).toBe(answer)
    expect(read.whole).toMatch(/plugged in|eingesteckt|включён/u)
  })
  it.each(Object.entries(pages))('%s, as HTML alone', (_name, page) => {
    const read = textOf({ html: page })
    expect(read.answer).toBe(answer)
    expect(read.whole).toContain('plugged in')
  })
})

describe('what is no repeated mail stays', () => {
  const kept = [
    'We wrote:\nhello\nand they answered.',
    'From my point of view:\nit works.',
    'Our plan:\n1. restart\n2. wait\n\nIs that right?',
    '> Is it plugged in?\n\nYes.\n\n> And is it on?\n\nNo.',
  ]
  it.each(kept)('%s', (text) => expect(textOf({ text }).answer).toBe(text))
  it('a mail that only repeats is not empty', () => {
    const text = '> Is it plugged in?'
    expect(textOf({ text }).answer).toBe(text)
  })
})
