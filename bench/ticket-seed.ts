import { Client as Connection } from 'pg'
import { must } from '#foundation/must.ts'
import { dropIndices } from '#foundation/server/backup/queries.ts'
import { inParallel } from './in-parallel.ts'

export type TicketSizes = { customers: number; tickets: number }

const MESSAGES_OF_A_TICKET = 10
const SENTENCES = 20_000

/** Words as they occur in tickets, so that the stemmers of the three languages have something to do. */
const spoken = [
  'server connection backup password certificate firewall invoice payment account domain mailbox slow restart storage update',
  'Server Verbindung Sicherung Kennwort Zertifikat Firewall Rechnung Zahlung Konto Domain Postfach langsam Neustart Speicher Aktualisierung',
  'сервер соединение копия пароль сертификат брандмауэр счёт оплата аккаунт домен ящик медленно перезагрузка хранилище обновление',
].map((words) => words.split(' '))
const syllables = [
  'ba co di fu ga he ji ka lo mu ne po ra si tu ve wo xi ya zo',
  'bau cher dorf eich feld gar heim ing jahr kel lei mann nau ort platz rück stein tal ufer wald',
  'ба ве го ди жу за ки ло мы не по ра со ту фе ха це ша щу эр',
].map((parts) => parts.split(' '))

/** The tag of every tenth ticket; another tenth has one of the rare tags. */
export const frequentTag = 'known fault'
const tagBefore = 'rack '
const RARE_TAGS = 97

/** The number of tickets whose messages one statement writes. */
const CHUNK = 5_000

/**
 * Adds customers, and tickets of all customers with ten messages each, straight into the tables, in all three languages: a few
 * words are in every second message, most in very few. Nearly all of the time is spent on stemming the words, so two connections write
 * the messages, and each index is made after the rows.
 */
export async function seedTickets(
  url: string,
  staff_ids: readonly string[],
  sizes: TicketSizes,
): Promise<void> {
  const connections = [0, 1].map(() => new Connection({ connectionString: url }))
  await Promise.all(connections.map((connection) => connection.connect()))
  try {
    const first = must(connections[0])
    await first.query("alter system set max_wal_size = '16GB'")
    await first.query('select pg_reload_conf()')
    const sentences = Array.from({ length: SENTENCES }, (_, place) => sentenceOf(place % 3))
    for (const connection of connections) await prepare(connection, sentences)
    const run: Run = (statement, values = []) => first.query(statement, values)
    await insertPeople(run, sizes.customers)
    const makeIndices = await dropIndices(first, ['tickets', 'ticket_messages'])
    await insertTickets(run, staff_ids, sizes.tickets)
    say(`${sizes.tickets} tickets are written`)
    await insertMessages(connections, sizes.tickets)
    say('indices of tickets and messages')
    await makeIndices()
    await first.query('alter system reset max_wal_size')
    await first.query('vacuum analyze')
  } finally {
    await Promise.all(connections.map((connection) => connection.end()))
  }
}

const say = (what: string) => process.stderr.write(`bench: ${what} …\n`)

async function prepare(connection: Connection, sentences: readonly string[]): Promise<void> {
  await connection.query("select set_config('app.actor', 'system', false)")
  // Foreign keys and triggers are off: these rows need no checks.
  await connection.query('set session_replication_role = replica')
  await connection.query("set maintenance_work_mem = '512MB'")
  await connection.query('create temporary table sentences (id int primary key, language int, text text)')
  await connection.query(
    'insert into sentences select n - 1, (n - 1) % 3, said from unnest($1::text[]) with ordinality as s (said, n)',
    [sentences],
  )
  await connection.query('analyze sentences')
}

type Run = (statement: string, values?: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>

/** Adds customers, each created at another time and not in the order of their names, as an index by time would meet them in practice. */
async function insertPeople(run: Run, customers: number): Promise<void> {
  await run(
    `with person as (
       insert into users (email, created_at)
       select 'customer-' || n || '@example.org', now() - n * 7919::bigint % $1::int * interval '20 minutes' from generate_series(1, $1::int) n
       returning id, created_at, substr(email, 10, length(email) - 21)::int as n),
     address as (
       insert into email_addresses (user_id, email, verified_at, is_primary)
       select id, 'customer-' || n || '@example.org', now(), true from person)
     insert into profiles (user_id, created_at, name, surname)
     select id, created_at, ($2::text[])[1 + n % 15], initcap(($2::text[])[1 + n % 11] || 'son' || n) from person`,
    [customers, spoken[0]],
  )
}

async function insertTickets(run: Run, staff_ids: readonly string[], tickets: number): Promise<void> {
  await run(
    `with customer as (
       select id, row_number() over () as place from users where not is_staff),
     made as (
       select n, now() - ($1::int - n) * interval '5 minutes' as at,
         -- A hundredth is opened, a few are being worked on, most are closed.
         case when n % 100 < 2 then 'opened' when n % 100 < 5 then 'in-progress' when n % 100 < 10 then 'pending' else 'closed' end as status
       from generate_series(1, $1::int) n)
     insert into tickets (public_id, user_id, subject, topic, priority, status, assignee_id, created_at, last_message_at,
       waiting_since, pending_since, closed_at, staff_seq, customer_seq, due_at, snoozed_at, snoozed_until, tags)
     select lpad(n::text, 22, 'T'), customer.id, left(s.text, 60),
       (array['technical', 'technical', 'technical', 'finances', 'finances_sales', 'finances_chargeback', 'miscellaneous', 'review'])[1 + (n * 7) % 8],
       (array['critical', 'high', 'medium', 'medium', 'medium', 'medium', 'low', 'very_low'])[1 + (n * 11) % 8],
       status, case when status <> 'opened' then ($2::uuid[])[1 + n % cardinality($2::uuid[])] end, at, at + interval '30 hours',
       case when status in ('opened', 'in-progress') then at end, case when status = 'pending' then at end,
       case when status = 'closed' then at + interval '3 days' end, $3, $3,
       -- An answer is promised for what waits for staff, and a tenth of it is late. A fifth of what waits for customers sleeps.
       case when n % 100 < 5 then now() + (n % 1000 - 50) * interval '1 hour' end,
       case when n % 100 = 5 then at end, case when n % 100 = 5 then now() + n % 997 * interval '1 hour' end,
       -- Tags change from hundred to hundred, so that each state of a ticket has each of them.
       case n / 100 % 10 when 3 then array['${frequentTag}'] when 4 then array['${tagBefore}' || n % ${RARE_TAGS}] else '{}' end
     from made join customer on customer.place = 1 + (n * 7919::bigint) % (select count(*) from customer) join sentences s on s.id = (n * 31::bigint) % ${SENTENCES}`,
    [tickets, staff_ids, MESSAGES_OF_A_TICKET],
  )
}

/** Writes the messages chunk by chunk, two chunks at a time. Prints its progress after every twentieth chunk. */
async function insertMessages(connections: Connection[], tickets: number): Promise<void> {
  const free = [...connections]
  const begun = performance.now()
  let done = 0
  await inParallel(connections.length, Math.ceil(tickets / CHUNK), async (place) => {
    const connection = must(free.pop())
    await connection.query(
      `insert into ticket_messages (ticket_id, seq, customer_seq, user_id, author_id, by_staff, kind, text, created_at)
       select t.id, n, n, t.user_id, case when n % 2 = 1 then t.user_id else t.assignee_id end, n % 2 = 0, 'comment',
         one.text || '. ' || other.text || '.', t.created_at + n * interval '3 hours'
       from (select id, user_id, assignee_id, created_at from tickets order by id offset $2 limit $3) t
       cross join generate_series(1, $1::int) n
       join sentences one on one.id = (t.id * 31 + n * 3) % ${SENTENCES}
       join sentences other on other.id = (t.id * 17 + n * 1009) % ${SENTENCES}`,
      [MESSAGES_OF_A_TICKET, place * CHUNK, CHUNK],
    )
    free.push(connection)
    done += 1
    if (done % 20 === 0) say(`messages of ${done * CHUNK} tickets after ${secondsSince(begun)} s`)
  })
}

const secondsSince = (begun: number): string => ((performance.now() - begun) / 1000).toFixed(0)

/** Returns eight words: half of them are frequent, the others are drawn from the 8,000 made-up words of the language. */
const sentenceOf = (language: number): string =>
  Array.from({ length: 8 }, (_, place) => (place % 2 === 0 ? commonWord(language) : rareWord(language))).join(
    ' ',
  )

/** Returns a search for a customer by name and beginning of the surname: many customers match one of the two words, few match both. */
export function nameAndSurname(customer: number): string {
  const words = must(spoken[0])
  return `${must(words[customer % 15])} ${must(words[customer % 11])}son${String(customer).slice(0, 1)}`
}

export const rareTag = (): string => tagBefore + Math.floor(Math.random() * RARE_TAGS)

export const commonWord = (language: number): string => pick(must(spoken[language]), Math.random() ** 2)

export function rareWord(language: number): string {
  const parts = must(syllables[language])
  return pick(parts, Math.random()) + pick(parts, Math.random() ** 2) + pick(parts, Math.random())
}

const pick = (words: readonly string[], place: number): string =>
  must(words[Math.floor(words.length * place)])
