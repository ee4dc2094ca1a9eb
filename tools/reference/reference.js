// The reference shows the API document by a viewer of others (docs/decisions/181). All that it could ask of other hosts is off.
import { createApiReference } from '@scalar/api-reference'
import '@scalar/api-reference/style.css'
import './reference.css'

createApiReference('#reference', {
  url: '/api/openapi.json',
  theme: 'none',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  hideTestRequestButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'none',
  operationTitleSource: 'summary',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
})
