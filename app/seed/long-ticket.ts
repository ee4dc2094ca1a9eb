import type { TicketSeedEvent } from './ticket-history.ts'
import type { Lines } from './ticket-events.ts'

/** Returns the longest ticket: a server answers slowly each night. It goes on for four days, with notes between two members of staff. */
export const slowNights = (lines: Lines): TicketSeedEvent[] => [
  ...firstNight(lines),
  ...secondNight(lines),
  ...thirdNight(lines),
]

const firstNight = ({ says, notes, does }: Lines): TicketSeedEvent[] => [
  says(
    'anna',
    '3d 4h',
    'Hello,\n\nsince Monday my shop on **harbour-web-01** answers very slowly at night, between two and three. During the day all is well. I changed nothing that I know of.',
  ),
  does('olivia', '3d 3h 41m', 'taken'),
  says(
    'olivia',
    '3d 3h 36m',
    'Good morning Anna,\n\nthank you for the exact times, that helps a lot. Two questions:\n\n1. Does a backup or another job of yours run at two?\n2. May we look at the figures that the agent reports?',
  ),
  says(
    'anna',
    '3d 3h 20m',
    'The backup runs at four, so it cannot be that. And yes, of course you may look.',
  ),
  notes(
    'olivia',
    '3d 3h 4m',
    'Load rises to 9 at 02:01 on each of the last three nights, memory stays flat. Looks like a cron job, not like traffic. @Jonas Keller, have you seen this with the image from spring?',
  ),
  notes(
    'jonas',
    '3d 2h 48m',
    'Yes: the spring image rebuilds the search index of the manual pages every night at two, with all cores. `mandb` is what to look for.',
  ),
  says(
    'olivia',
    '3d 2h 30m',
    'The load rises at 02:01 every night while memory stays where it is (see the picture), so it is a job on the server itself. Could you run this and send us what it prints?\n\n```\nsystemctl list-timers --all\n```',
    'load-of-three-nights.png',
  ),
  says(
    'anna',
    '2d 22h 15m',
    'Here it is (only the part around two):\n\n```\nNEXT                        LEFT     UNIT\nTue 2026-11-17 02:00:00 CET 3h 12min man-db.timer\nTue 2026-11-17 04:00:00 CET 5h 12min backup.timer\n```',
  ),
  says(
    'olivia',
    '2d 22h 2m',
    'There it is: `man-db.timer` rebuilds the index of the manual pages. Nobody reads those on a web server. You can switch it off without losing anything:\n\n```\nsudo systemctl disable --now man-db.timer\n```',
  ),
  says('anna', '2d 21h 50m', 'Done. I will tell you tomorrow whether it was a quiet night.'),
]

const secondNight = ({ says, notes, handsOver, raises }: Lines): TicketSeedEvent[] => [
  says('anna', '2d 3h 10m', 'It was not. :( Better, but between half past two and three it was slow again.'),
  raises('olivia', '2d 3h 2m', 'high'),
  notes(
    'olivia',
    '2d 2h 58m',
    'Load is down to 3, but the disk is busy from 02:30. I am away from noon on, could you take over, Jonas?',
  ),
  handsOver('olivia', '2d 2h 55m', 'jonas', 'Jonas Keller'),
  says(
    'jonas',
    '2d 2h 30m',
    'Hello Anna, Jonas here; Olivia has told me everything. The processor is idle now, but the disk is not. Please have a look at which program writes the most:\n\n```\nsudo iotop -boqqq -d 5 -n 3\n```\n\nIt has to run while it is slow, so a timer is best. I can write you one if you like.',
  ),
  says('anna', '2d 2h 12m', 'Yes please!'),
  says(
    'jonas',
    '2d 1h 47m',
    'Put this into one line, as root:\n\n```\nsystemd-run --on-calendar="02:35" sh -c "iotop -boqqq -d 5 -n 12 > /root/iotop.txt"\n```\n\nTomorrow morning the answer is in `/root/iotop.txt`.',
  ),
]

const thirdNight = ({ says, notes }: Lines): TicketSeedEvent[] => [
  says(
    'anna',
    '1d 3h 31m',
    'It caught something:\n\n> 71 % of the writing is done by `mysqld`\n\nDoes that help?',
    'iotop.txt',
  ),
  says(
    'jonas',
    '1d 3h 5m',
    'It does. Is the *slow query log* of the database switched on? At 02:30 it is rotated and compressed. After a year it may be large:\n\n```\nls -lh /var/log/mysql/\n```',
  ),
  says('anna', '1d 2h 40m', '**38 GB.** I had no idea.'),
  says(
    'jonas',
    '1d 2h 22m',
    'Then we have it. Two steps:\n\n- switch the log off: `SET GLOBAL slow_query_log = 0;` and `slow_query_log = 0` in `/etc/mysql/my.cnf`\n- empty the file: `truncate -s 0 /var/log/mysql/slow.log`\n\nPlease do not delete the file while the database runs, or the space stays taken until it is restarted.',
  ),
  notes(
    'jonas',
    '1d 2h 15m',
    'Nothing to do on our side. If she asks: the log was switched on by the shop’s own installer, not by our image.',
  ),
  says(
    'anna',
    '1d 1h 58m',
    'Both done. The disk went from 91 % to 34 % full. Let us see what the night brings.',
    'disk-usage.png',
  ),
  says(
    'anna',
    '18m',
    'A quiet night at last, the shop answered in 0.2 seconds all the time. Thank you both!\n\nOne more thing: could the agent warn me when the disk fills up like this?',
  ),
]
