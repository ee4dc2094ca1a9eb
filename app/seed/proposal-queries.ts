import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'

type Proposed = {
  owner_id: string
  program: string
  tool: string
  path: string
  input: object
  hours_ago: number
  is_refused: boolean
}

/** Writes what a program of this name proposed; the first one makes the program, a token that nobody knows. */
export async function insertProposal(tx: Tx, proposed: Proposed): Promise<void> {
  const { owner_id, program, tool, path, input, hours_ago, is_refused } = proposed
  const at = sql`now() - make_interval(hours => ${hours_ago})`
  await sql`
    with known as (select id from account_tokens where owner_id = ${owner_id}::uuid and name = ${program}),
    made as (
      insert into account_grants (owner_id, email, grantee_kind, role, all_hosts, state, created_at, accepted_at)
      select ${owner_id}::uuid, '', 'token', 'technical', true, 'active', now() - interval '4 days', now() - interval '4 days'
      where not exists (select from known) returning id),
    token as (
      insert into account_tokens (id, owner_id, name, token_hash, hint, created_at, expires_at, last_used_at, last_used_ip)
      select id, ${owner_id}::uuid, ${program}, sha256(gen_random_uuid()::text::bytea), 'hdp_…9tRw', now() - interval '4 days',
        now() + interval '86 days', now() - interval '2 hours', '203.0.113.24' from made returning id)
    insert into assistant_proposals (owner_id, token_id, tool, path, input, proposed_at, expires_at, status, decided_at)
    select ${owner_id}::uuid, id, ${tool}, ${path}, ${JSON.stringify(input)}::jsonb, ${at}, ${at} + interval '72 hours',
      ${is_refused ? 'refused' : 'proposed'}, ${is_refused ? sql`${at} + interval '20 minutes'` : sql`null`}
    from (select id from known union all select id from token) as programs limit 1`.execute(tx)
}
