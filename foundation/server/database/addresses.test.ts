import { expect, it } from 'vitest'
import { addressesOf } from './addresses.ts'

it('splits a database address with several hosts into one address for each, and keeps an address with one host', () => {
  for (const one of [
    'postgres://user:p%2Cw@db/hostdesk?sslmode=require',
    'postgres://hostdesk@/hostdesk?host=%2Frun%2Fa,b',
    'postgresql://db:5433/hostdesk?target_session_attrs=read-write',
  ])
    expect(addressesOf(one)).toEqual([one])
  expect(addressesOf('postgres://u:p@one:5432,two:5433,[::1]/db?target_session_attrs=read-write')).toEqual([
    'postgres://u:p@one:5432/db',
    'postgres://u:p@two:5433/db',
    'postgres://u:p@[::1]/db',
  ])
  expect(addressesOf('postgres://one,two/db?sslmode=require&target_session_attrs=primary&x=y')).toEqual([
    'postgres://one/db?sslmode=require&x=y',
    'postgres://two/db?sslmode=require&x=y',
  ])
})
