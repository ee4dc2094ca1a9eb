import { Client as Connection } from 'pg'

/** Adds `each` hosts to every customer, straight into the table. Their licences are by turns paid, ended and missing. */
export async function seedHosts(url: string, each: number): Promise<void> {
  const connection = new Connection({ connectionString: url })
  await connection.connect()
  try {
    // The rows are our own: neither foreign keys nor triggers need to check them.
    await connection.query('set session_replication_role = replica')
    await connection.query(
      `insert into hosts (public_id, user_id, name, ipv4, licence_key, paid_until, created_at)
       select lpad(place::text, 22, 'H'), user_id, 'web-' || place, '10.0.0.0'::inet + place, lpad(place::text, 32, 'K'),
         case place % 3 when 0 then now() + place % 300 * interval '1 day' when 1 then now() - place % 300 * interval '1 day' end,
         now() - place % 700 * interval '1 day'
       from (select id as user_id, row_number() over () as place
             from users cross join generate_series(1, $1::int) where not is_staff) as one`,
      [each],
    )
    await connection.query('analyze hosts')
  } finally {
    await connection.end()
  }
}
