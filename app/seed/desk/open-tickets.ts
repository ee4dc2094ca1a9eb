import type { Story } from '../ticket-story.ts'

/** Tickets that wait: one with a removed message and a secret, one by mail, two that are merged, one that is split off, and a late one. */
export const openTickets: readonly Story[] = [
  {
    who: 'henrike',
    subject: 'Umzug auf einen größeren Server',
    topic: 'technical',
    priority: 'medium',
    host: 'kontor',
    key: 'late',
    unseen: { staff: 1 },
    lines: ({ says, does }) => [
      says(
        'henrike',
        '4d 5h',
        'Guten Tag,\n\nunser Katalog wächst, und **kontor** wird abends langsam. Können wir auf den Tarif *Business* wechseln, ohne dass der Shop lange steht?',
      ),
      does('olivia', '4d 4h 20m', 'taken'),
      says(
        'olivia',
        '4d 4h',
        'Guten Tag Frau Voss,\n\nja, der Wechsel dauert etwa zehn Minuten. Nennen Sie uns bitte eine Uhrzeit, zu der wenig los ist.',
      ),
      says(
        'henrike',
        '3d 2h',
        'Am liebsten an einem Werktag zwischen 6 und 7 Uhr. Müssen wir vorher etwas sichern?',
      ),
    ],
  },
  {
    who: 'anna',
    subject: 'A second server for the archive',
    topic: 'finances_sales',
    priority: 'low',
    key: 'archive',
    lines: ({ says, does }) => [
      says(
        'anna',
        '1d 6h',
        'We have scanned the programmes of the theatre since 1921, about 400 GB. Which edition fits a server that only keeps them?',
      ),
      does('olivia', '1d 5h 30m', 'taken'),
      says(
        'olivia',
        '1d 5h 20m',
        '**Starter** is enough, as an archive needs little power. You can change to a larger edition at any time.',
      ),
      says(
        'anna',
        '1d 4h 10m',
        'Thank you! And something else: can our bookkeeper get the invoices by herself, without seeing the servers?',
      ),
      says(
        'olivia',
        '1d 4h',
        'Yes: invite her under **Settings → People** with the role *Billing*. She then signs in with her own account and finds the invoices there. Did it work?',
      ),
    ],
  },
  {
    who: 'anna',
    subject: 'Restore one folder from last week',
    topic: 'technical',
    priority: 'medium',
    host: 'harbour-web-01',
    key: 'restore',
    unseen: { customer: 1 },
    lines: ({ mails, does, says, entrusts }) => [
      mails(
        'anna',
        '1d 4h 50m',
        'Hello,\n\nby mistake I deleted the folder spring-catalogue. Is it still in the backup of last week?\n\nAnna',
      ),
      does('olivia', '1d 4h 20m', 'taken'),
      says(
        'olivia',
        '1d 4h 15m',
        'Good morning Anna, yes: the backup of Tuesday has it, 2.1 GB. Shall we put it back in its place, or beside the present one?',
      ),
      mails(
        'anna',
        '1d 3h 10m',
        'Beside it, please. I will sort it out by hand.',
        '> Good morning Anna, yes: the backup of Tuesday has it, 2.1 GB. Shall we\n> put it back in its place, or beside the present one?\n>\n> Reply to this email, or open the ticket.',
      ),
      entrusts(
        'olivia',
        '1d 1h 20m',
        'It is there as `spring-catalogue.zip`. As it holds addresses of your customers, it has a password, which you can open once:',
        'theatre-mill-4471',
      ),
    ],
  },
  {
    who: 'anna',
    subject: 'SFTP access for our photographer',
    topic: 'technical',
    priority: 'medium',
    host: 'shop-api',
    key: 'access',
    unseen: { staff: 1 },
    lines: ({ says, saidOnce, does, entrusts, notes }) => [
      says(
        'anna',
        '5h 40m',
        'Our photographer should upload her pictures by herself. Could you set up SFTP for her, for the folder `/srv/pictures` only?',
      ),
      does('jonas', '5h 20m', 'taken'),
      says(
        'jonas',
        '5h 12m',
        'Gladly. We need the name of the panel’s user to which the folder belongs. No password, please.',
      ),
      saidOnce('anna', '4h 50m', 'jonas', '4h 46m'),
      says(
        'jonas',
        '4h 44m',
        'I have removed your message for both of us: the password of your panel was in it. Please set a new one. If we need it, send it as a *secret*: only we can open that, and once.',
      ),
      notes(
        'jonas',
        '4h 40m',
        '@Olivia Grant, may we set up users who are not the customer’s own staff, or does she need an agreement first?',
      ),
      entrusts(
        'anna',
        '52m',
        'Sorry about that! The password is new. Here is what you need for the panel.',
        'user: anna-panel\npassword: Lantern-Quay-58',
      ),
    ],
  },
  {
    who: 'anna',
    subject: 'Warn me before a disk is full',
    topic: 'technical',
    priority: 'low',
    host: 'harbour-web-01',
    key: 'warning',
    lines: ({ says }) => [
      says(
        'anna',
        '17m',
        'So that it does not get lost at the end of the other ticket: I would like an email when the disk of **harbour-web-01** is more than 80 % full. Where do I switch that on?',
      ),
    ],
  },
]
