import { expect, it } from 'vitest'
import { narrowTypes } from './table-unions.ts'

it('a column whose check constraint lists its values gets their union type, and no other column does', () => {
  const types = `export interface Tickets {
  status: Generated<string>;
  topic: string;
}

export interface TopUps {
  status: string;
  kind: string | null;
}
`
  const schema = `create table tickets (
  status text default 'new'::text not null,
  topic text not null,
  constraint tickets_status_check check (status = any (array['new'::text, 'closed'::text]))
);

create table top_ups (
  status text not null,
  kind text,
  constraint kind_known check (kind = any (array['a'::text, 'b'::text]))
);
`
  expect(narrowTypes(types, schema)).toBe(`export interface Tickets {
  status: Generated<'new' | 'closed'>;
  topic: string;
}

export interface TopUps {
  status: string;
  kind: 'a' | 'b' | null;
}
`)
})
