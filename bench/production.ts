/** Settings that the product needs before it starts with NODE_ENV=production. */
export const production = {
  PUBLIC_ORIGIN: 'http://localhost:3000',
  SECRET_KEY: 'c7f4a0d1b29e8365a1f07d6c4b3e2890d1b29e8365a1f07d6c4b3e2890c7f4a0',
  // Benches may be started as root, as in a container.
  RUN_AS_ROOT: 'on',
  STAFF_TWO_FACTOR: 'optional',
  SMTP_URL: 'smtp://127.0.0.1:9',
  COMPANY_NAME: 'Bench GmbH',
  COMPANY_STREET: 'Hauptstrasse 1',
  COMPANY_ZIP: '10115',
  COMPANY_CITY: 'Berlin',
  COMPANY_VAT_ID: 'DE123456789',
}
