import type { AgentCardJson } from '@moorage/protocol'

const url = 'https://agents.example.com/a2a'

/** A card that says all that a card can say, with interfaces of both versions. */
export const richCard: AgentCardJson = {
  name: 'Café',
  description: 'Finds one €.',
  supportedInterfaces: [
    { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: 'acme' },
    { url, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    { url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
    { url, protocolBinding: 'HTTP+JSON', protocolVersion: '0.3' },
  ],
  version: '1.2.3',
  capabilities: {
    streaming: true,
    pushNotifications: false,
    extendedAgentCard: true,
    extensions: [{ uri: 'urn:example:x', description: 'More', required: true, params: { depth: 2, words: ['ö', 'ä'] } }],
  },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain', 'application/json'],
  skills: [
    {
      id: 'find',
      name: 'Find',
      description: 'Finds one.',
      tags: ['find'],
      examples: ['near me'],
      inputModes: ['text/plain'],
      securityRequirements: [{ schemes: { login: { list: ['read', 'write'] } } }],
    },
  ],
  provider: { url: 'https://example.com', organization: 'Example' },
  documentationUrl: 'https://example.com/docs',
  iconUrl: 'https://example.com/icon.png',
  securitySchemes: {
    key: { apiKeySecurityScheme: { location: 'query', name: 'key', description: 'A key' } },
    bearer: { httpAuthSecurityScheme: { scheme: 'bearer', bearerFormat: 'JWT' } },
    login: {
      oauth2SecurityScheme: {
        oauth2MetadataUrl: 'https://login.example.com/meta',
        flows: {
          authorizationCode: {
            authorizationUrl: 'https://login.example.com/authorize',
            tokenUrl: 'https://login.example.com/token',
            refreshUrl: 'https://login.example.com/refresh',
            scopes: { read: 'Read', write: 'Write' },
          },
        },
      },
    },
    openid: { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://login.example.com/.well-known/openid-configuration' } },
    mtls: { mtlsSecurityScheme: { description: 'A certificate' } },
  },
  securityRequirements: [{ schemes: { login: { list: ['read'] } } }],
}
