/** Values for the examples of mails. */
export const EXAMPLE = {
  name: 'Anna Berg',
  other: 'Boris Lind',
  email: 'anna@example.com',
  ip: '203.0.113.7',
  user_agent: 'Firefox 145, Windows',
  key: 'example',
  at: new Date('2026-12-01T09:30:00Z'),
  until: new Date('2026-12-08T09:30:00Z'),
}
