// Everything that would ask another host for something is off.
Scalar.createApiReference('#reference', {
  url: '/docs/openapi.json',
  agent: { disabled: true },
  mcp: { disabled: true },
  telemetry: false,
  withDefaultFonts: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  persistAuth: false,
  documentDownloadType: 'direct',
  defaultOpenAllTags: false,
  servers: [{ url: window.location.origin, description: 'This sandbox' }],
  authentication: { preferredSecurityScheme: 'apiKey' },
  metaData: { title: 'Merchant Payments' },
})
